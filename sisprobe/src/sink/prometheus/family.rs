//! Metric families under way.

use prometheus::proto::{self, LabelPair, MetricFamily, MetricType};

use crate::report::metrics::{Kind, Metric};

/// The series of one metric.
pub(super) struct Family {
    metric: &'static Metric,
    series: Vec<proto::Metric>,
}

impl Family {
    pub(super) const fn new(metric: &'static Metric) -> Self {
        Self {
            metric,
            series: Vec::new(),
        }
    }

    /// A series of a counter or a gauge. What is not known has none.
    pub(super) fn add(&mut self, labels: &[&str], value: Option<f64>) {
        let Some(value) = value.filter(|value| value.is_finite()) else {
            return;
        };
        let mut series = self.labelled(labels);
        if self.metric.kind == Kind::Counter {
            let mut counter = proto::Counter::default();
            counter.set_value(value);
            series.set_counter(counter);
        } else {
            let mut gauge = proto::Gauge::default();
            gauge.set_value(value);
            series.set_gauge(gauge);
        }
        self.series.push(series);
    }

    /// A series of a histogram.
    pub(super) fn add_histogram(&mut self, labels: &[&str], histogram: proto::Histogram) {
        let mut series = self.labelled(labels);
        series.set_histogram(histogram);
        self.series.push(series);
    }

    fn labelled(&self, values: &[&str]) -> proto::Metric {
        let pairs = self.metric.labels.iter().zip(values);
        proto::Metric::from_label(
            pairs
                .map(|(name, value)| {
                    let mut pair = LabelPair::default();
                    pair.set_name((*name).to_owned());
                    pair.set_value((*value).to_owned());
                    pair
                })
                .collect(),
        )
    }

    /// None where there is no series.
    pub(super) fn finish(self) -> Option<MetricFamily> {
        if self.series.is_empty() {
            return None;
        }
        let mut family = MetricFamily::default();
        family.set_name(self.metric.name.to_owned());
        family.set_help(self.metric.help.to_owned());
        family.set_field_type(match self.metric.kind {
            Kind::Counter => MetricType::COUNTER,
            Kind::Gauge => MetricType::GAUGE,
            Kind::DurationHistogram | Kind::CpuHistogram | Kind::RequestHistogram => {
                MetricType::HISTOGRAM
            }
        });
        family.set_metric(self.series);
        Some(family)
    }
}
