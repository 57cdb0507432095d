//! cargo's test targets, told apart by the names of their files.

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::{command, compile};

/// The module with the lab's tests on a kernel of our own.
const OWN: &str = "own::";

/// A file in some crate's tests/.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Target {
    package: String,
    name: String,
}

impl Target {
    fn tier(&self) -> &'static str {
        if self.name.starts_with("host") {
            "host"
        } else if self.name.starts_with("lab") {
            "lab"
        } else {
            "pure"
        }
    }
}

/// Unit tests, property tests and the examples in the documentation.
pub(super) fn pure() -> Result<()> {
    let mut cargo = compile::cargo();
    cargo.args(["test", "--lib", "--bins"]);
    for target in of_tier("pure")? {
        cargo.args(["--test", &target.name]);
    }
    command::run(&mut cargo)?;
    command::run(compile::cargo().args(["test", "--doc"]))
}

/// The tests of one tier, which must have some.
pub(super) fn run(tier: &str) -> Result<()> {
    run_with(tier, |_| {})
}

/// The lab's tests, on a kernel of our own too where `full`.
pub(super) fn run_lab(full: bool) -> Result<()> {
    run_with("lab", |cargo| {
        if !full {
            cargo.args(["--", "--skip", OWN]);
        }
    })
}

fn run_with(tier: &str, prepare: impl Fn(&mut std::process::Command)) -> Result<()> {
    let targets = of_tier(tier)?;
    ensure!(
        !targets.is_empty(),
        "there are no tests of this tier: no tests/{tier}*.rs in any crate"
    );
    for target in targets {
        let mut cargo = compile::cargo();
        cargo.args(["test", "--package", &target.package, "--test", &target.name]);
        prepare(&mut cargo);
        command::run(&mut cargo)?;
    }
    Ok(())
}

fn of_tier(tier: &str) -> Result<Vec<Target>> {
    let mut cargo = compile::cargo();
    cargo.args(["metadata", "--no-deps", "--format-version", "1"]);
    let metadata: Value =
        serde_json::from_str(&command::output(&mut cargo)?).context("read cargo's metadata")?;
    Ok(parse(&metadata)
        .into_iter()
        .filter(|target| target.tier() == tier)
        .collect())
}

fn parse(metadata: &Value) -> Vec<Target> {
    let list = |value: &Value, key: &str| {
        value
            .get(key)
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default()
    };
    let mut targets = Vec::new();
    for package in list(metadata, "packages") {
        for target in list(&package, "targets") {
            let is_test = list(&target, "kind").iter().any(|kind| kind == "test");
            let names = (package["name"].as_str(), target["name"].as_str());
            if let (true, (Some(package), Some(name))) = (is_test, names) {
                targets.push(Target {
                    package: package.into(),
                    name: name.into(),
                });
            }
        }
    }
    targets
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::parse;

    #[test]
    fn test_targets_are_told_apart_by_name() {
        let metadata = json!({"packages": [
            {"name": "a", "targets": [
                {"name": "a", "kind": ["lib"]},
                {"name": "buckets", "kind": ["test"]},
                {"name": "host_topology", "kind": ["test"]},
            ]},
            {"name": "xtask", "targets": [
                {"name": "xtask", "kind": ["bin"]},
                {"name": "lab", "kind": ["test"]},
            ]},
        ]});
        let found: Vec<_> = parse(&metadata)
            .into_iter()
            .map(|target| (target.tier(), target.package, target.name))
            .collect();
        assert_eq!(
            found,
            [
                ("pure", "a".to_owned(), "buckets".to_owned()),
                ("host", "a".to_owned(), "host_topology".to_owned()),
                ("lab", "xtask".to_owned(), "lab".to_owned()),
            ]
        );
    }
}
