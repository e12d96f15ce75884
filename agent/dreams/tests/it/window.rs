use golem_dreams::window::{Window, WindowError, is_seen_open};
use golem_primitives::UtcTime;
use proptest::prelude::*;

fn check(window: &str, moments: &[(&str, bool)]) {
    let window: Window = window.parse().expect("a window");
    for (moment, open) in moments {
        let now: UtcTime = moment.parse().expect("a time");
        assert_eq!(window.is_open(now), *open, "{window} at {moment}");
    }
}

/// D-042: V9 to V12.
#[test]
fn d_042_windows_follow_the_wall_clock_of_their_zone() {
    check(
        "02:00-06:00 UTC",
        &[
            ("2026-05-01T01:59:59Z", false),
            ("2026-05-01T02:00:00Z", true),
            ("2026-05-01T05:59:59Z", true),
            ("2026-05-01T06:00:00Z", false),
        ],
    );
    check(
        "02:00-06:00 America/New_York",
        &[
            ("2026-01-15T06:59:00Z", false),
            ("2026-01-15T07:00:00Z", true),
            ("2026-07-15T06:00:00Z", true),
            ("2026-07-15T10:00:00Z", false),
            // V11: on the day the clock springs forward there is no 02:00.
            ("2026-03-08T06:59:00Z", false),
            ("2026-03-08T07:00:00Z", true),
        ],
    );
    check(
        "22:00-02:00 UTC",
        &[
            ("2026-05-01T21:59:00Z", false),
            ("2026-05-01T22:00:00Z", true),
            ("2026-05-02T01:59:00Z", true),
            ("2026-05-02T02:00:00Z", false),
        ],
    );
}

/// D-042: an hour that a clock repeats is open twice.
#[test]
fn d_042_a_repeated_hour_counts_twice() {
    check(
        "01:00-02:00 America/New_York",
        &[("2026-11-01T05:30:00Z", true), ("2026-11-01T06:30:00Z", true), ("2026-11-01T07:00:00Z", false)],
    );
}

/// D-042: the default night, the documented nap, and several at once.
#[test]
fn d_042_several_windows_may_stand() {
    let windows = [Window::night(), "14:00-15:00 UTC".parse().expect("a nap")];
    let open = |text: &str| windows.iter().any(|window| window.is_open(text.parse().expect("a time")));
    assert!(open("2026-05-01T03:00:00Z") && open("2026-05-01T14:30:00Z") && !open("2026-05-01T12:00:00Z"));
    assert_eq!("02:00-06:00 UTC".parse(), Ok(Window::night()));
}

/// D-016, D-199: every opening is seen to begin, also by who slept through the end of the last or never sees it closed; where
/// there are no windows a day of UTC stands for one.
#[test]
fn d_199_every_opening_is_seen_to_begin() {
    let seen = |windows: &[Window], now: &str, before: &str| {
        is_seen_open(windows, now.parse().expect("a time"), before.parse().expect("a time"))
    };
    let night = [Window::night()];
    let always = ["00:00-23:59 UTC".parse().expect("nearly a day")];
    let over = ["22:00-02:00 UTC".parse().expect("behind midnight")];
    for (windows, now, before, is_open) in [
        (&night[..], "2026-05-02T02:00:10Z", "2026-05-02T01:59:30Z", false),
        (&night, "2026-05-02T02:00:50Z", "2026-05-02T02:00:10Z", true),
        (&night, "2026-05-02T02:30:00Z", "2026-05-01T05:00:00Z", false),
        (&night, "2026-05-02T06:00:00Z", "2026-05-02T05:59:00Z", false),
        (&always, "2026-05-02T00:00:40Z", "2026-05-01T23:58:50Z", false),
        (&always, "2026-05-02T00:02:00Z", "2026-05-02T00:00:40Z", true),
        (&over, "2026-05-02T00:30:00Z", "2026-05-01T23:50:00Z", true),
        (&over, "2026-05-02T00:30:00Z", "2026-05-01T21:50:00Z", false),
        (&[], "2026-05-02T00:00:10Z", "2026-05-01T23:59:30Z", false),
        (&[], "2026-05-02T00:00:50Z", "2026-05-02T00:00:10Z", true),
    ] {
        assert_eq!(seen(windows, now, before), is_open, "{now} after {before}");
    }
}

/// D-042: what is no window is refused by name.
#[test]
fn d_042_texts_that_are_no_window_are_refused() {
    for (text, says) in [
        ("02:00-06:00", "02:00-06:00 UTC"),
        ("02:00 UTC", "02:00-06:00 UTC"),
        ("2:00-06:00 UTC", "HH:MM"),
        ("24:00-06:00 UTC", "HH:MM"),
        ("02:60-06:00 UTC", "HH:MM"),
        ("02:00-02:00 UTC", "empty"),
        ("02:00-06:00 Mars/Olympus", "IANA"),
        ("02:00-06:00 ../../etc/passwd", "IANA"),
    ] {
        let error = text.parse::<Window>().expect_err(text);
        assert!(error.to_string().contains(says), "{text}: {error}");
    }
    let error = "02:00-02:00 UTC".parse::<Window>();
    assert!(matches!(error, Err(WindowError::Empty { .. })));
}

proptest! {
    /// D-042: a window and its complement share every moment between them.
    #[test]
    fn d_042_a_window_and_its_complement_are_everything(
        start in 0u32..1_440, end in 0u32..1_440, seconds in 0u64..4_000_000_000,
    ) {
        prop_assume!(start != end);
        let at = |minute: u32| format!("{:02}:{:02}", minute / 60, minute % 60);
        let window = |a, b| format!("{}-{} Europe/Berlin", at(a), at(b)).parse::<Window>().expect("a window");
        let now = UtcTime::from_seconds(seconds);
        prop_assert_ne!(window(start, end).is_open(now), window(end, start).is_open(now));
        prop_assert_eq!(window(start, end).to_string().parse(), Ok(window(start, end)));
    }

    /// D-042: no text makes the parser panic.
    #[test]
    fn d_042_no_text_panics(text in ".{0,40}") {
        let _ = text.parse::<Window>().is_ok();
    }
}
