//! Where the policies' code goes.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::super::edit::{Edit, Side, prefix};
use super::{Policies, Policy};

const FAIR: &str = "kernel/sched/fair.c";
const SEARCH: &str = "static int select_idle_cpu(";

/// What puts these policies into the kernel; nothing where there are none. Its anchors are lines
/// as they came, so it goes before the edits that begin such a line with something else.
pub(in crate::kernel) fn edits(policies: &Policies) -> Vec<Edit> {
    let Some(first) = policies.first() else {
        return Vec::new();
    };
    let policies = policies.by_precedence();
    let mut edits = features(&policies, first);
    edits.extend([
        before(
            FAIR,
            None,
            "static inline int __select_idle_cpu(",
            functions(&policies),
        ),
        after(
            FAIR,
            Some(SEARCH),
            "\tstruct sched_domain_shared *sd_share;",
            "\tstruct sis_search sis = {\n\
             \t\t.sd = sd,\n\
             \t\t.target = target,\n\
             \t\t.has_idle_core = has_idle_core,\n\
             \t};\n",
        ),
        before(
            FAIR,
            Some(SEARCH),
            "\tif (sched_feat(SIS_UTIL)) {",
            include_str!("search.c"),
        ),
    ]);
    if policies.iter().any(|policy| policy.has_window()) {
        edits.push(after(
            FAIR,
            Some(SEARCH),
            "\tfor_each_cpu_wrap(cpu, cpus, target + 1) {",
            "\t\tif (sis.next_cpu)\n\
             \t\t\tWRITE_ONCE(*sis.next_cpu, cpu);\n",
        ));
    }
    if policies.iter().any(|policy| policy.goes_by_utilisation()) {
        edits.extend([
            before(
                FAIR,
                None,
                "static void update_idle_cpu_scan(",
                include_str!("update.c"),
            ),
            before(
                FAIR,
                Some("static inline void update_sd_lb_stats("),
                "\tupdate_idle_cpu_scan(env, sum_util);",
                "\tif (!sis_update_idle_cpu_scan(env, sum_util, sds->total_capacity))\n\t",
            ),
        ]);
    }
    if policies.contains(&Policy::CoreWindow) {
        edits.extend([
            after(
                "include/linux/sched/topology.h",
                Some("struct sched_domain {"),
                "\tu64 max_newidle_lb_cost;",
                "\tu64 avg_scan_cost;\t\t/* ns, SIS_CORE_WINDOW's */\n",
            ),
            before(
                FAIR,
                Some(SEARCH),
                "\tif (has_idle_core)",
                "\tsis_core_window_end(&sis);\n\n",
            ),
        ]);
    }
    if policies.contains(&Policy::NoCore) {
        edits.push(after(
            FAIR,
            Some("static int select_idle_sibling(struct task_struct *p, int prev, int target)"),
            "\t\thas_idle_core = test_idle_cores(target);",
            "\t\tif (sis_policy() == __SCHED_FEAT_SIS_NO_CORE)\n\
             \t\t\thas_idle_core = false;\n",
        ));
    }
    edits
}

/// The scheduler features. The kernel keeps them in an unsigned int, in which there is no room for
/// six more: it becomes an unsigned long, which is what the bits are computed as already.
fn features(policies: &[Policy], on: Policy) -> Vec<Edit> {
    let mut lines =
        String::from("\n/* Policies that were never merged; the first that is on acts. */\n");
    for &policy in policies {
        let _ = writeln!(lines, "SCHED_FEAT({}, {})", policy.feature(), policy == on);
    }
    vec![
        after(
            "kernel/sched/features.h",
            None,
            "SCHED_FEAT(SIS_UTIL, true)",
            lines,
        ),
        widened(
            "kernel/sched/sched.h",
            "extern const_debug unsigned int sysctl_sched_features;",
        ),
        widened(
            "kernel/sched/core.c",
            "const_debug unsigned int sysctl_sched_features =",
        ),
    ]
}

fn widened(file: &'static str, anchor: &'static str) -> Edit {
    Edit {
        side: Side::Word("int "),
        ..prefix(file, anchor, "long ")
    }
}

/// The policies' functions, and those that ask the policy whose feature is on.
fn functions(policies: &[Policy]) -> String {
    let mut code = String::from(include_str!("common.c"));
    if policies.iter().any(|policy| policy.has_window()) {
        code.push_str(include_str!("window.c"));
    }
    for policy in policies {
        code.push_str(policy.code());
    }
    let prefix = |policy: &Policy| policy.feature().to_lowercase();
    code.push_str(&function(
        "The policy that acts: the first whose feature is on; -1 where none is.",
        "static __always_inline int sis_policy(void)",
        &policies
            .iter()
            .map(|policy| {
                let feature = policy.feature();
                format!("\tif (sched_feat({feature}))\n\t\treturn __SCHED_FEAT_{feature};\n")
            })
            .collect::<String>(),
        "-1",
    ));
    code.push_str(&function(
        "Has it say how far a search may look. False: none acts.",
        "static __always_inline bool sis_search(struct sis_search *search)",
        &switch(policies.iter().map(|policy| {
            let call = format!("{}_search(search);\n\t\treturn true", prefix(policy));
            (*policy, call)
        })),
        "false",
    ));
    let by_utilisation = policies
        .iter()
        .filter(|policy| policy.goes_by_utilisation());
    code.push_str(&function(
        "What is to be stored as nr_idle_scan; -1 where none acts that goes by utilisation.",
        "static inline int sis_nr_idle_scan(const struct sis_llc *llc)",
        &switch(
            by_utilisation.map(|policy| (*policy, format!("return {}_nr(llc)", prefix(policy)))),
        ),
        "-1",
    ));
    code
}

fn function(comment: &str, head: &str, body: &str, otherwise: &str) -> String {
    format!("/* {comment} */\n{head}\n{{\n{body}\n\treturn {otherwise};\n}}\n\n")
}

/// A statement for each policy that may act.
fn switch(cases: impl Iterator<Item = (Policy, String)>) -> String {
    let mut code = String::from("\tswitch (sis_policy()) {\n");
    for (policy, statement) in cases {
        let feature = policy.feature();
        let _ = writeln!(code, "\tcase __SCHED_FEAT_{feature}:\n\t\t{statement};");
    }
    code.push_str("\t}\n");
    code
}

fn before(
    file: &'static str,
    within: Option<&'static str>,
    anchor: &'static str,
    insert: impl Into<Cow<'static, str>>,
) -> Edit {
    Edit {
        file,
        within,
        anchor,
        side: Side::Before,
        insert: insert.into(),
    }
}

fn after(
    file: &'static str,
    within: Option<&'static str>,
    anchor: &'static str,
    insert: impl Into<Cow<'static, str>>,
) -> Edit {
    Edit {
        side: Side::After,
        ..before(file, within, anchor, insert)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::edit::{OUT_OF_LINE, apply};
    use super::{FAIR, Policies, Policy, edits};

    /// Files with the anchors' lines, in the order in which the kernel has them.
    const FILES: [(&str, &str); 5] = [
        (
            FAIR,
            "static inline int __select_idle_cpu(\n{\n}\n\
             static int select_idle_core(\n{\n}\n\
             static int select_idle_cpu(\n{\n\
             \tstruct sched_domain_shared *sd_share;\n\
             \tif (sched_feat(SIS_UTIL)) {\n\
             \tfor_each_cpu_wrap(cpu, cpus, target + 1) {\n\
             \t\tif (has_idle_core) {\n\
             \tif (has_idle_core)\n}\n\
             static int select_idle_sibling(struct task_struct *p, int prev, int target)\n{\n\
             \t\thas_idle_core = test_idle_cores(target);\n}\n\
             static void update_idle_cpu_scan(\n{\n\
             \tstruct sched_domain_shared *sd_share;\n}\n\
             static inline void update_sd_lb_stats(\n{\n\
             \tupdate_idle_cpu_scan(env, sum_util);\n}\n",
        ),
        (
            "kernel/sched/features.h",
            "SCHED_FEAT(TTWU_QUEUE, true)\nSCHED_FEAT(SIS_UTIL, true)\n",
        ),
        (
            "kernel/sched/sched.h",
            "extern const_debug unsigned int sysctl_sched_features;\n",
        ),
        (
            "kernel/sched/core.c",
            "const_debug unsigned int sysctl_sched_features =\n",
        ),
        (
            "include/linux/sched/topology.h",
            "struct sched_domain {\n\tu64 max_newidle_lb_cost;\n};\n",
        ),
    ];

    /// The files' text, one after the other, with these policies and the functions out of line.
    fn edited(policies: &str) -> String {
        let policies = policies.parse().expect("policies");
        let mut edits = edits(&policies);
        edits.extend_from_slice(OUT_OF_LINE);
        FILES
            .iter()
            .map(|&(file, text)| {
                let of_file = edits.iter().filter(|edit| edit.file == file);
                of_file.fold(text.to_owned(), |text, edit| {
                    apply(&text, edit).unwrap_or_else(|error| panic!("{edit:?}: {error:#}"))
                })
            })
            .collect()
    }

    #[test]
    fn without_policies_nothing_is_edited() {
        assert!(edits(&Policies::default()).is_empty());
    }

    #[test]
    fn each_has_what_it_needs_and_nothing_of_others() {
        for policy in Policy::ALL {
            let text = edited(policy.name());
            let feature = policy.feature();
            assert_eq!(text.matches("SCHED_FEAT(SIS_").count(), 2, "{text}");
            assert!(
                text.contains(&format!("SCHED_FEAT({feature}, true)")),
                "{text}"
            );
            let prefix = feature.to_lowercase();
            assert!(
                text.contains(&format!("static void {prefix}_search(")),
                "{text}"
            );
            assert_eq!(
                text.contains("static bool sis_update_idle_cpu_scan("),
                text.contains(&format!("static int {prefix}_nr(")),
                "{text}"
            );
            let is = |other| policy == other;
            assert_eq!(text.contains("u64 avg_scan_cost;"), is(Policy::CoreWindow));
            assert_eq!(text.contains("has_idle_core = false;"), is(Policy::NoCore));
            assert_eq!(text.contains("*sis.next_cpu, cpu"), policy.has_window());
        }
    }

    #[test]
    fn the_first_named_is_on_and_the_first_of_the_list_acts() {
        let text = edited("no-core,quad,linear");
        for feature in [
            "SIS_NO_CORE, true",
            "SIS_UTIL_QUAD, false",
            "SIS_UTIL_LINEAR, false",
        ] {
            assert!(text.contains(&format!("SCHED_FEAT({feature})")), "{text}");
        }
        let asked = |feature| text.find(&format!("if (sched_feat({feature}))"));
        assert!(asked("SIS_UTIL_LINEAR") < asked("SIS_UTIL_QUAD"));
        assert!(asked("SIS_UTIL_QUAD") < asked("SIS_NO_CORE"));
        assert_eq!(asked("SIS_UTIL_EXP"), None);
    }

    #[test]
    fn the_policy_stands_before_sis_util_in_its_place() {
        let text = edited("all");
        assert!(
            text.contains("\t} else\n\tif (sched_feat(SIS_UTIL)) {\n"),
            "{text}"
        );
        assert!(
            text.contains("const_debug unsigned long int sysctl_sched_features"),
            "{text}"
        );
        assert!(
            text.contains("noinline static int select_idle_cpu("),
            "{text}"
        );
        assert!(text.contains("\tif (!sis_update_idle_cpu_scan(env, sum_util, sds->total_capacity))\n\t\tupdate_idle_cpu_scan(env, sum_util);\n"));
    }
}
