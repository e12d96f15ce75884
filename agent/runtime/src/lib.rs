//! Owns the loop: sense, journal, step, commit, dispatch; holds no opinions.
