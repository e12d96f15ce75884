//! How long words wait for whoever is away (I-108, I-109). Who keeps them is the relay.

use std::time::Duration;

use golem_primitives::UtcTime;

/// I-108. How long a delta waits.
pub const TTL: Duration = Duration::from_secs(7 * UtcTime::DAY_SECONDS);
