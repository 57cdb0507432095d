//! The charts, drawn when they are asked for.

use axum::{
    extract::{Query, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use tokio::{sync::Semaphore, task::spawn_blocking};

use crate::{
    daemon::{
        App,
        app::Refused,
        encoding::{accepts_gzip, gzip},
        snapshot::RenderError,
        source::NotReady,
    },
    report::{Column, Group, Source},
    sink::{
        chart::{self, Chart, ChartError, Size},
        page,
        timeline::{self, Span},
    },
};

/// Charts that are drawn at once; others wait.
static DRAWING: Semaphore = Semaphore::const_new(2);

/// Pixels to the right that are drawn: what else is asked for is made one of these.
const WIDTHS: (u32, u32) = (300, 1200);
const WIDTH: u32 = 720;

/// Of which group, and how wide.
#[derive(Debug, Deserialize)]
pub(super) struct Wanted {
    group: Option<String>,
    width: Option<u32>,
}

/// CPUs scanned against the predicted depth.
pub(super) async fn depth(
    app: State<App>,
    wanted: Query<Wanted>,
    headers: HeaderMap,
) -> Result<Response, NoChart> {
    draw(app, wanted, &headers, |columns, source, group| {
        timeline::depth(columns, source, group.size, Span::UntilNow)
    })
    .await
}

/// How long searches took.
pub(super) async fn heatmap(
    app: State<App>,
    wanted: Query<Wanted>,
    headers: HeaderMap,
) -> Result<Response, NoChart> {
    draw(app, wanted, &headers, |columns, source, _| {
        timeline::heatmap(columns, source, Span::UntilNow)
    })
    .await
}

async fn draw(
    State(app): State<App>,
    Query(wanted): Query<Wanted>,
    headers: &HeaderMap,
    chart: fn(&[Column], &Source, &Group) -> Chart,
) -> Result<Response, NoChart> {
    let snapshot = app.source().last()?;
    let width = wanted.width.unwrap_or(WIDTH).clamp(WIDTHS.0, WIDTHS.1);
    let size = Size {
        width,
        // Narrow charts have their legend below.
        height: if width < 640 { 300 } else { 270 },
    };
    let compress = accepts_gzip(headers);
    let _drawing = DRAWING.acquire().await;
    let svg = spawn_blocking(move || {
        let report = &snapshot.observation().report;
        let group = page::group(report, wanted.group.as_deref()).ok_or(NoChart::NoGroup)?;
        let columns = app.source().history().columns(&group.name);
        let chart = chart(&columns, &report.source, group);
        let svg = chart::svg_of_page(&chart, size)?.into_bytes();
        if compress {
            return Ok(gzip(&svg).map_err(RenderError::from)?);
        }
        Ok::<_, NoChart>(svg)
    });
    let svg = svg.await.map_err(RenderError::from)??;
    let common = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::VARY, header::ACCEPT_ENCODING.as_str()),
    ];
    let encoding = compress.then_some([(header::CONTENT_ENCODING, "gzip")]);
    Ok((common, encoding, svg).into_response())
}

/// Why there is none.
pub(super) enum NoChart {
    Refused(Refused),
    NoGroup,
    Draw(ChartError),
}

impl From<NotReady> for NoChart {
    fn from(why: NotReady) -> Self {
        Self::Refused(why.into())
    }
}

impl From<RenderError> for NoChart {
    fn from(why: RenderError) -> Self {
        Self::Refused(why.into())
    }
}

impl From<ChartError> for NoChart {
    fn from(why: ChartError) -> Self {
        Self::Draw(why)
    }
}

impl IntoResponse for NoChart {
    fn into_response(self) -> Response {
        match self {
            Self::Refused(why) => why.into_response(),
            Self::NoGroup => (StatusCode::NOT_FOUND, "there is no such group\n").into_response(),
            Self::Draw(why) => {
                tracing::error!(%why, "a chart could not be drawn");
                (StatusCode::INTERNAL_SERVER_ERROR, format!("{why}\n")).into_response()
            }
        }
    }
}
