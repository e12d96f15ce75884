//! Books for lives that are short.

use golem_core::trader::Foundation;
use golem_playbook::promotion::Founding;

/// Wants to buy whenever it has just sold, for two looks; what it may lose at most is so much that it rests late.
const IMPATIENT: &str = "# Impatient\n\n### again\n- when: move(16) < 0%\n- do: hold 100%\n- until: since >= 1 and hour >= 0\n\
                         - expects: +0.5% within 5\n";

/// P-057. Speaks of the second token's pool alone, and is in it most of the time.
const EMBER: &str = "# Ember\n\n### kindle\n- in: ember-3000\n- when: hour >= 0\n- do: hold 60%\n- until: since >= 6\n\
                     - expects: +2% within 6\n";

/// A founding book that its owner trusts, or the impatient one, or the one of the second token. Mean reversion looks back over thirty-two prices instead of
/// sixty-four, so that short lives trade too, and its stop is none by itself, so that it rests late.
pub(crate) fn foundation(name: &str) -> Foundation {
    let own = [("impatient", IMPATIENT), ("ember", EMBER)].into_iter().find(|(own, _)| *own == name);
    if let Some((_, text)) = own {
        let book = text.parse().expect("a book");
        return Foundation::new(name.parse().expect("a name"), book, Founding::Trust);
    }
    let shipped = Foundation::shipped(name).expect("it ships");
    let brisk =
        shipped.book.to_string().replace("z(64)", "z(32)").replace("gain <= -1.5%", "gain <= -1.5% and hour >= 0");
    Foundation { book: brisk.parse().expect("a book"), founding: Founding::Trust, ..shipped }
}
