//! Which policy bounds the search here.

use sisprobe_common::{
    budget::rule,
    layout::{ABSENT, FEATURES, FeatureRule, Layout},
};

use crate::{
    kernel::{Answer, Features},
    policy::{ActivePolicy, Policy},
};

/// The scheduler features that choose a policy, in the order in which the kernel asks them: the
/// first that is on decides. Those after the sixth are the kernel's own; the others are those of
/// kernels built by `cargo xtask kernel --policy`.
const BY_FEATURE: [(&str, Policy); 9] = [
    ("SIS_UTIL_LINEAR", Policy::SisUtilLinear),
    ("SIS_UTIL_85", Policy::SisUtil85),
    ("SIS_UTIL_QUAD", Policy::SisUtilQuad),
    ("SIS_UTIL_EXP", Policy::SisUtilExp),
    ("SIS_CORE_WINDOW", Policy::SisCoreWindow),
    ("SIS_NO_CORE", Policy::NoCore),
    // kernel/sched/features.h
    ("SIS_UTIL", Policy::SisUtil),
    ("SIS_PROP", Policy::SisProp),
    ("SIS_AVG_CPU", Policy::SisAvgCpu),
];

const _: () = assert!(BY_FEATURE.len() <= FEATURES);

/// The active policy, by the features that are on and what the kernel's BTF has, of which
/// `layout` was made.
pub fn active(features: &Answer<Features>, layout: &Layout) -> ActivePolicy {
    let features = match features {
        Answer::Found(features) => features,
        Answer::Absent(why) | Answer::Unknown(why) => return assumed(why, layout),
    };
    let stranger = |name: &str| {
        !BY_FEATURE.iter().any(|(known, _)| *known == name) && name.starts_with("SIS_")
    };
    let strangers: Vec<&str> = features
        .of_search()
        .filter(|feature| feature.enabled && stranger(&feature.name))
        .map(|feature| feature.name.as_str())
        .collect();
    if !strangers.is_empty() {
        return ActivePolicy {
            policy: None,
            because: format!(
                "{} is on, of which sisprobe knows nothing",
                strangers.join(", ")
            ),
        };
    }
    let on = BY_FEATURE
        .into_iter()
        .find(|(name, _)| features.get(name) == Some(true));
    match on {
        Some((name, policy)) => ActivePolicy {
            policy: Some(of_this_age(policy, layout)),
            because: format!("{name} is on"),
        },
        None => ActivePolicy {
            policy: Some(Policy::Full),
            because: "no feature that bounds the search is on".into(),
        },
    }
}

/// Without the features: what the kernel does by default.
fn assumed(why: &str, layout: &Layout) -> ActivePolicy {
    let (policy, default) = if layout.nr_idle_scan != ABSENT {
        (Policy::SisUtil, "SIS_UTIL, on by default")
    } else {
        (
            of_this_age(Policy::SisProp, layout),
            "SIS_PROP, on by default before 6.0",
        )
    };
    ActivePolicy {
        policy: Some(policy),
        because: format!("assumed to be {default}: the features cannot be read ({why})"),
    }
}

fn of_this_age(policy: Policy, layout: &Layout) -> Policy {
    match policy {
        Policy::SisProp if layout.wake_avg_idle == ABSENT => Policy::SisPropAvgIdle,
        other => other,
    }
}

/// The array `sched_feat_keys`.
#[derive(Clone, Copy)]
pub(super) struct Keys {
    /// Address of `enabled` of the first.
    pub(super) first: u64,
    /// Bytes from one to the next.
    pub(super) size: u32,
}

impl Keys {
    fn of(self, index: u32) -> u64 {
        self.first + u64::from(index) * u64::from(self.size)
    }
}

/// Fills in how the features bound a search. `layout` must have its offsets; `keys` are none on a
/// kernel without CONFIG_JUMP_LABEL.
pub(super) fn rules(features: &Answer<Features>, keys: Option<Keys>, layout: &mut Layout) {
    let bit = |name: &str| {
        let features = features.found()?;
        let position = features.iter().position(|feature| feature.name == name)?;
        1_u64.checked_shl(u32::try_from(position).ok()?)
    };
    let rules = BY_FEATURE.into_iter().filter_map(|(name, policy)| {
        let mask = bit(name)?;
        Some(FeatureRule {
            mask,
            key: keys.map_or(0, |keys| keys.of(mask.trailing_zeros())),
            rule: rule_of(of_this_age(policy, layout)),
            reserved: 0,
        })
    });
    let rules: Vec<FeatureRule> = rules.collect();
    // No kernel that has more than 32 features keeps them in an unsigned int.
    let count = features
        .found()
        .map_or(0, |features| features.iter().count());
    layout.wide_features = u32::from(count > 32);
    layout.util_est = bit("UTIL_EST").unwrap_or(0);
    layout.features[..rules.len()].copy_from_slice(&rules);
    if features.found().is_none() {
        // Whatever is on: only the default can be told.
        layout.sched_features = 0;
    }
    let otherwise = active(features, layout).policy;
    layout.otherwise = match (features.found(), otherwise) {
        (Some(_), _) => rule::WEIGHT,
        (None, Some(policy)) => rule_of(policy),
        (None, None) => rule::UNKNOWN,
    };
}

const fn rule_of(policy: Policy) -> u32 {
    match policy {
        Policy::Full => rule::WEIGHT,
        Policy::SisAvgCpu => rule::AVG_COST,
        Policy::SisPropAvgIdle => rule::AVG_IDLE,
        Policy::SisProp => rule::WAKE_AVG_IDLE,
        Policy::NoCore => rule::NO_CORE,
        Policy::SisCoreWindow => rule::CORE_WINDOW,
        Policy::SisUtilLinear => rule::NR_IDLE_SCAN_MINUS_ONE,
        // What all these store is the number itself: sis_util_85 stores all CPUs or 0.
        Policy::SisUtil85
        | Policy::SisUtilExp
        | Policy::SisUtilQuad
        | Policy::SisUtilQuadSmallLlc
        | Policy::SisUtil => rule::NR_IDLE_SCAN,
    }
}
