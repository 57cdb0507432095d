//! The files that the page is made of, all of them inside the executable.

use axum::{
    Router,
    http::{HeaderMap, HeaderName, StatusCode, header},
    response::{IntoResponse as _, Response},
    routing::get,
};

use crate::daemon::App;

/// One file.
pub(super) struct Asset {
    pub(super) path: &'static str,
    pub(super) content_type: &'static str,
    pub(super) text: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const ICON: &str = "image/svg+xml";

macro_rules! asset {
    ($path:literal, $content_type:expr, $file:literal) => {
        Asset {
            path: $path,
            content_type: $content_type,
            text: include_str!(concat!("../../../assets/page/", $file)),
        }
    };
}

/// All of them.
pub(super) static ASSETS: [Asset; 7] = [
    asset!("/", HTML, "index.html"),
    asset!("/page/style.css", STYLE, "style.css"),
    asset!("/page/app.js", SCRIPT, "app.js"),
    asset!("/page/connection.js", SCRIPT, "connection.js"),
    asset!("/page/show.js", SCRIPT, "show.js"),
    asset!("/page/charts.js", SCRIPT, "charts.js"),
    asset!("/page/icon.svg", ICON, "icon.svg"),
];

/// Nothing from elsewhere, nothing inline, in nobody's frame.
pub(super) const POLICY: &str = "default-src 'self'; base-uri 'none'; form-action 'none'; \
                                 frame-ancestors 'none'; object-src 'none'";

pub(super) fn routes() -> Router<App> {
    ASSETS.iter().fold(Router::new(), |router, asset| {
        router.route(
            asset.path,
            get(move |headers: HeaderMap| async move { asset.answer(&headers) }),
        )
    })
}

impl Asset {
    /// Asked for anew each time, but sent only where the client has another version.
    fn answer(&self, headers: &HeaderMap) -> Response {
        let tag = self.tag();
        let common: [(HeaderName, &str); 4] = [
            (header::CACHE_CONTROL, "no-cache"),
            (header::CONTENT_SECURITY_POLICY, POLICY),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (header::REFERRER_POLICY, "no-referrer"),
        ];
        let tagged = [(header::ETAG, tag.clone())];
        let known = headers.get(header::IF_NONE_MATCH);
        // One tag, as browsers send it; a list is answered in full.
        if known.is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
            return (StatusCode::NOT_MODIFIED, common, tagged).into_response();
        }
        let kind = [(header::CONTENT_TYPE, self.content_type)];
        (common, tagged, kind, self.text).into_response()
    }

    /// FNV-1a of the text: another version of the file has another one.
    fn tag(&self) -> String {
        let hash = self
            .text
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
        format!("\"{hash:016x}\"")
    }
}
