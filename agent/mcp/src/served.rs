//! The two lines an assistant speaks over.

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use golem_web::{Doorkeeper, guarded};
use rmcp::ServiceExt as _;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService, stdio};

use crate::Tools;
use crate::tools::UnservedError;

/// The largest question: a search of 500 letters has room many times over.
const MOST_BYTES: usize = 64 * 1024;

/// With the program that started this one, until it hangs up.
///
/// # Errors
///
/// When the line breaks before it is closed.
pub async fn over_stdio(tools: Tools) -> Result<(), UnservedError> {
    let broken = |error: &dyn std::fmt::Display| UnservedError(error.to_string());
    let running = tools.serve(stdio()).await.map_err(|error| broken(&error))?;
    running.waiting().await.map(drop).map_err(|error| broken(&error))
}

/// At `/mcp`, behind the guard of the page: its own host, no other site, and the token as a bearer.
pub fn over_http(tools: Tools, guard: Doorkeeper) -> Router {
    // Every question stands alone, so no session has to be kept for anybody; the guard has looked at host and origin
    // already, and looks twice here.
    let mut config = StreamableHttpServerConfig::default().enforce_origin_validation();
    config.legacy_session_mode = false;
    config.json_response = true;
    config.allowed_origins = guard.origins().to_vec();
    let service =
        StreamableHttpService::new(move || Ok(tools.clone()), Arc::new(NeverSessionManager::default()), config);
    let routes = Router::new().nest_service("/mcp", service).layer(DefaultBodyLimit::max(MOST_BYTES));
    guarded(routes, guard)
}
