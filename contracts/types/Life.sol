// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

/// @dev L-003. A one-way machine; zero is what an unknown id answers.
enum Life {
    Unborn,
    Alive,
    Dying,
    Dead
}

/// @dev Best first, so that "Conservation or worse" is `phase >= Phase.Conservation` (V-012).
enum Phase {
    Thriving,
    Stable,
    Conservation,
    Declining,
    Terminal
}

/// @dev T-001. Five causes and the absence of one.
enum Cause {
    None,
    Economic,
    EpistemicSenescence,
    Stochastic,
    OwnerKill,
    KillSwitch
}

/// @dev The predecessor of a generation 0 in every ABI. Agent ids start at 0, so 0 cannot mean "none".
uint256 constant NO_GOLEM = type(uint256).max;

/// @notice What a beat leaves behind, in one slot together with two facts that share its life (L-025).
/// @param tick The last tick beaten; after death, the ticks lived.
/// @param phase The phase the key last reported.
/// @param vitality Parts per million, 0 to 1,000,000.
/// @param beatAt Time of the last beat; at birth, the time of birth.
/// @param beatBlock Block of the last beat; at birth, of the birth.
/// @param rollStride Blocks between the death rolls of two ticks as the last beat announced them, 0 when it did not: tick
/// T after the beat rolls with block `beatBlock + (T - tick) * rollStride`.
/// @param noticeAt When silence was noticed, 0 when no notice stands. Any beat clears it (T-001).
/// @param diedAt When the Golem became Dead, 0 before.
/// @param predecessor Agent id + 1, 0 for a generation 0.
struct Pulse {
    uint40 tick;
    Phase phase;
    uint24 vitality;
    uint48 beatAt;
    uint32 beatBlock;
    uint8 rollStride;
    uint48 noticeAt;
    uint48 diedAt;
    uint40 predecessor;
}
