//! Picking out of many.

/// What is wanted of each item that looks like this.
macro_rules! each {
    ($items:expr, $like:pat $(if $guard:expr)? => $wanted:expr) => {
        $items
            .into_iter()
            .filter_map(|item| match item {
                $like $(if $guard)? => Some($wanted),
                _ => None,
            })
            .collect::<Vec<_>>()
    };
}
