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
        before(
            FAIR,
            Some(SEARCH),
            "\tcpumask_and(cpus, ",
            "\tstruct sis_search sis = {\n\
             \t\t.sd = sd,\n\
             \t\t.target = target,\n\
             \t\t.has_idle_core = has_idle_core,\n\
             \t};\n\n",
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
                "\tif (!sis_update_idle_cpu_scan(env, sum_util, sds->total_capacity))\n",
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
        prefix(
            "kernel/sched/sched.h",
            "extern const_debug unsigned int sysctl_sched_features;",
            "long ",
        ),
        prefix(
            "kernel/sched/core.c",
            "const_debug unsigned int sysctl_sched_features =",
            "long ",
        ),
    ]
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
