//! What comes, as it comes: server-sent events that go on where they were cut.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval};
use tokio_stream::wrappers::ReceiverStream;

use crate::source::{Bookmark, GolemSource, News};

/// Between two looks for news.
const LOOK: Duration = Duration::from_millis(400);
/// Before a page comes back that was cut off.
const RETRY: Duration = Duration::from_secs(1);
/// Says that the line still stands.
const SIGN: Duration = Duration::from_secs(15);

/// The stream of one reader. Its place is its mark alone, which is of the store: it goes on after any cut, and after a
/// restart of this server or of the life.
pub(crate) fn follow(source: Arc<dyn GolemSource>, golem: Option<String>, since: Option<Bookmark>) -> Response {
    let (tell, told) = mpsc::channel::<Result<Event, Infallible>>(4);
    tokio::spawn(async move {
        let mut mark = since;
        let mut look = interval(LOOK);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = tell.closed() => return,
                _ = look.tick() => {}
            }
            let event = match source.news(golem.clone(), mark.clone()).await {
                Ok(News::Nothing) => continue,
                Ok(News::Since { mark: now, told }) => {
                    let event = Event::default().id(now.to_string()).event("tick").data(told.text());
                    mark = Some(now);
                    event
                }
                Ok(News::Afresh { mark: now }) => {
                    let event = Event::default().id(now.to_string()).event("afresh").data("{}");
                    mark = Some(now);
                    event
                }
                // A memory that cannot be read now may be readable soon; the page is told by what it asks for itself.
                Err(_) => continue,
            };
            if tell.send(Ok(event.retry(RETRY))).await.is_err() {
                return;
            }
        }
    });
    Sse::new(ReceiverStream::new(told)).keep_alive(KeepAlive::new().interval(SIGN)).into_response()
}
