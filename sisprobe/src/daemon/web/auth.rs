//! Passwords.
//!
//! A bcrypt check takes tens of milliseconds by design. So what was right is remembered for a
//! while, checks run on threads of their own and only a few at once, and who floods the daemon
//! with wrong passwords waits in a short queue that nobody else stands in.

use std::{
    collections::BTreeMap,
    str::FromStr as _,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use axum::{
    Router,
    extract::{Request, State},
    http::{HeaderMap, StatusCode, header},
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse as _, Response},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use bcrypt::HashParts;
use ring::{hmac, rand::SystemRandom};
use tokio::{sync::Semaphore, task::spawn_blocking};

use super::WebConfigError;

/// How long a password that was right is taken to be.
const REMEMBERED: Duration = Duration::from_secs(300);
/// Checks at once, and requests that wait for one or are in it.
const CHECKS: (usize, usize) = (2, 16);

/// Who may ask.
pub(in crate::daemon) struct Users {
    /// Never empty.
    hashes: BTreeMap<String, String>,
    /// What was right, and when: by user the HMAC of the password, by a key that only this process
    /// knows.
    right: Mutex<BTreeMap<String, (hmac::Tag, Instant)>>,
    key: hmac::Key,
    checks: Semaphore,
    places: Semaphore,
}

/// What becomes of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Allowed,
    Refused,
    /// Too many wait.
    Busy,
}

impl Users {
    pub(super) fn new(hashes: BTreeMap<String, String>) -> Result<Self, WebConfigError> {
        for (user, hash) in &hashes {
            HashParts::from_str(hash).map_err(|_| WebConfigError::Hash { user: user.clone() })?;
        }
        let key = hmac::Key::generate(hmac::HMAC_SHA256, &SystemRandom::new())
            .map_err(|_| WebConfigError::Tls("the kernel gives no random numbers".into()))?;
        Ok(Self {
            hashes,
            right: Mutex::default(),
            key,
            checks: Semaphore::new(CHECKS.0),
            places: Semaphore::new(CHECKS.1),
        })
    }

    /// Whether this is the user's password.
    pub(super) async fn judge(&self, user: &str, password: &str) -> Verdict {
        if self.is_remembered(user, password) {
            return Verdict::Allowed;
        }
        let Ok(_place) = self.places.try_acquire() else {
            return Verdict::Busy;
        };
        let Ok(_check) = self.checks.acquire().await else {
            return Verdict::Busy;
        };
        // It may have been checked while this waited.
        if self.is_remembered(user, password) {
            return Verdict::Allowed;
        }
        // For one who is not known somebody's hash is checked all the same, so that the time it
        // takes does not tell who is.
        let known = self.hashes.get(user);
        let Some(hash) = known.or_else(|| self.hashes.values().next()).cloned() else {
            return Verdict::Refused;
        };
        let given = password.to_owned();
        let is_right = spawn_blocking(move || bcrypt::verify(given, &hash).unwrap_or(false)).await;
        if known.is_none() || !is_right.unwrap_or(false) {
            return Verdict::Refused;
        }
        let tag = hmac::sign(&self.key, password.as_bytes());
        let mut right = self.right.lock().unwrap_or_else(PoisonError::into_inner);
        right.insert(user.to_owned(), (tag, Instant::now()));
        Verdict::Allowed
    }

    fn is_remembered(&self, user: &str, password: &str) -> bool {
        let right = self.right.lock().unwrap_or_else(PoisonError::into_inner);
        right.get(user).is_some_and(|(tag, when)| {
            when.elapsed() < REMEMBERED
                && hmac::verify(&self.key, password.as_bytes(), tag.as_ref()).is_ok()
        })
    }
}

/// `router` for `users` only.
pub(in crate::daemon) fn guarded(router: Router, users: Arc<Users>) -> Router {
    router.layer(from_fn_with_state(users, guard))
}

async fn guard(State(users): State<Arc<Users>>, request: Request, next: Next) -> Response {
    let verdict = match credentials(request.headers()) {
        Some((user, password)) => users.judge(&user, &password).await,
        None => Verdict::Refused,
    };
    match verdict {
        Verdict::Allowed => next.run(request).await,
        Verdict::Refused => {
            tracing::debug!(
                path = request.uri().path(),
                "a request without the right password"
            );
            let ask = [(header::WWW_AUTHENTICATE, "Basic realm=\"sisprobe\"")];
            (
                StatusCode::UNAUTHORIZED,
                ask,
                "a user and a password are needed\n",
            )
                .into_response()
        }
        Verdict::Busy => {
            let later = [(header::RETRY_AFTER, "1")];
            let why = "too many passwords are being checked\n";
            (StatusCode::SERVICE_UNAVAILABLE, later, why).into_response()
        }
    }
}

/// The user and the password of `Authorization: Basic` (RFC 7617).
fn credentials(headers: &HeaderMap) -> Option<(String, String)> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, encoded) = value.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let text = String::from_utf8(STANDARD.decode(encoded.trim()).ok()?).ok()?;
    let (user, password) = text.split_once(':')?;
    Some((user.to_owned(), password.to_owned()))
}
