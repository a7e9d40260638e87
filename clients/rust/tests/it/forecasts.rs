//! Forecasts: the steps one by one, or the result alone.

use setplan::v1::{ForecastRequest, ForecastResponse, ForecastResult, ForecastStep, forecast_response::Part};
use setplan::{Error, Kind, Planner};
use tonic::{Code, Status};

use crate::client::planner;
use crate::fakes::{Answer, serve};
use crate::servers::server;
use crate::vector::{Vector, all};

/// Reads a forecast step by step.
async fn read(planner: &Planner, request: ForecastRequest) -> Result<(Vec<ForecastStep>, ForecastResult), Error> {
    let mut forecast = planner.forecast(request).await?;
    let mut steps = Vec::new();
    while let Some(step) = forecast.next().await? {
        steps.push(step);
    }
    assert_eq!(forecast.next().await?, None);
    Ok((steps, forecast.result().await?))
}

#[tokio::test]
async fn steps_and_the_result() {
    let server = server(&[]).await;
    let planner = planner(&server.address);
    let mut several = 0;
    let busy = |vector: &Vector| vector.plan().is_some_and(|plan| plan.actions().next().is_some());
    for vector in all().into_iter().filter(busy).step_by(20) {
        let request = ForecastRequest::from(vector.request());
        let (steps, result) = read(&planner, request.clone()).await.unwrap_or_else(|error| panic!("{}: {error}", vector.name));
        let numbers: Vec<i32> = steps.iter().map(|step| step.number).collect();
        assert_eq!(numbers, (1..=result.steps).collect::<Vec<_>>(), "{}", vector.name);
        let alone = planner.forecast(request).await.expect("a forecast").result().await;
        assert_eq!(alone.expect("a result"), result, "{}", vector.name);
        several += usize::from(steps.len() > 1);
    }
    assert!(several > 0);
    let error = planner.forecast(ForecastRequest::default()).await.err().expect("an error");
    assert_eq!((error.kind, error.violations[0].field.as_str()), (Kind::InvalidSnapshot, "start.snapshot"), "{error}");
}

#[tokio::test]
async fn a_forecast_that_is_cut_is_an_error() {
    let part = |part| Ok(ForecastResponse { part: Some(part) });
    let step = || part(Part::Step(ForecastStep::default()));
    let result = || part(Part::Result(ForecastResult::default()));
    let failed = || Err(Status::unavailable("gone"));
    let cases: [(Answer<ForecastResponse>, &str); 3] = [
        (vec![step()], "the forecast ended before its result"),
        (vec![step(), failed()], "gone"),
        (vec![step(), result(), failed()], "gone"),
    ];
    for (answer, message) in cases {
        let serving = serve("127.0.0.1:0", move |_| answer.clone()).await;
        let error = read(&planner(&serving.address), ForecastRequest::default()).await.expect_err("an error");
        assert_eq!((error.kind, error.code, error.message.as_str()), (Kind::Unreachable, Code::Unavailable, message));
        assert_eq!(serving.headers().len(), 1, "steps that have been given are not given again");
    }
}
