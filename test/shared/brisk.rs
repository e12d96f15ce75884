//! Books for lives that are short.

use golem_core::trader::Foundation;
use golem_playbook::promotion::Founding;

/// Wants to buy whenever it has just sold, for two looks; what it may lose at most is so much that it rests late.
const IMPATIENT: &str = "# Impatient\n\n### again\n- when: move(16) < 0%\n- do: hold 100%\n- until: since >= 1 and hour >= 0\n\
                         - expects: +0.5% within 5\n";

/// P-057. Speaks of the second token's pool alone, and is in it most of the time.
const EMBER: &str = "# Ember\n\n### kindle\n- in: ember-3000\n- when: hour >= 0\n- do: hold 60%\n- until: since >= 6\n\
                     - expects: +2% within 6\n";

/// P-044, P-045. An owner's own ten lines, tried at a quarter: what one trip may lose is little, so a few trips decide.
const SEASONS: &str = "# Seasons\n\nBuys what was pushed a little below the vault's mean price.\n\n### small-push\n\
                       - when: gap <= -0.25% and gap >= -0.5%\n- do: hold 100%\n- until: since >= 2 or gain <= -0.1%\n\
                       - expects: +1.5% within 3\n- because: one sale pushes the price away, and others bring it back\n\
                       - asks: for how long will they?\n";

/// P-070. Never acts: what it trades by it has to find.
const NEVER: &str =
    "# Never\n\n### never\n- when: hour < 0\n- do: hold 10%\n- until: since >= 1\n- expects: +9% within 9\n";

/// P-071. Holds whatever happens.
const STUBBORN: &str = "# Stubborn\n\n### stubborn\n- when: hour >= 0\n- do: hold 100%\n- until: since >= 30\n\
                        - expects: +0.3% within 30\n";

/// Books of the tests, by their names and their owners' words.
const OWN: [(&str, &str, Founding); 5] = [
    ("impatient", IMPATIENT, Founding::Trust),
    ("ember", EMBER, Founding::Trust),
    ("seasons", SEASONS, Founding::Trial),
    ("never", NEVER, Founding::Paper),
    ("stubborn", STUBBORN, Founding::Trust),
];

/// A founding book that its owner trusts, or a book of the tests. Mean reversion looks back over thirty-two prices instead of
/// sixty-four, so that short lives trade too, and its stop is none by itself, so that it rests late.
pub(crate) fn foundation(name: &str) -> Foundation {
    if let Some((_, text, founding)) = OWN.into_iter().find(|(own, ..)| *own == name) {
        return Foundation::new(name.parse().expect("a name"), text.parse().expect("a book"), founding);
    }
    let shipped = Foundation::shipped(name).expect("it ships");
    let brisk =
        shipped.book.to_string().replace("z(64)", "z(32)").replace("gain <= -1.5%", "gain <= -1.5% and hour >= 0");
    Foundation { book: brisk.parse().expect("a book"), founding: Founding::Trust, ..shipped }
}
