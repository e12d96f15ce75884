// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";
import {Phase} from "contracts/types/Life.sol";
import {Books, DayTraded, Holding, Ledger, PartitionId, Policy, Position, Split} from "contracts/types/Money.sol";

/// @title The vault: credits and views (V-001..V-010, V-014, V-017, V-031)
interface IVaultMoney is IVaultRules {
    /// @notice What a leaked key can cost in any 24 hours from now, in USDC units (V-031).
    /// @param spending What is left of today's caps, and at most a whole day's after it, whatever is rebalanced,
    /// harvested or synced in between.
    /// @param float What the key's wallet may hold.
    /// @param trading Two days' volume, and the sale of everything at a death, at the furthest price a trade may have; and a
    /// move of the market by 30 % within the minutes he trades in, on the trades of one minute. Measured by cost: a gain counts
    /// from when it is realised.
    /// @param dying The death budget, which a key reaches by declaring a death.
    struct WorstLoss {
        uint256 spending;
        uint256 float;
        uint256 trading;
        uint256 dying;
        uint256 total;
    }

    /// @notice USDC entered the partitions by `split`. `from` is zero for a sync.
    event ToppedUp(address indexed from, uint256 amount, Split split);
    /// @notice A partition paid; to the key itself it was float. `left` is what the day still allows.
    event Spent(PartitionId indexed partition, address indexed payee, uint256 amount, uint256 left);
    /// @notice Credits moved between two partitions.
    event Rebalanced(PartitionId indexed from, PartitionId indexed to, uint256 amount);
    /// @notice The partitions were cut anew.
    event Resplit(Split indexed split, Ledger credits);
    /// @notice Credits were locked for the death.
    event ReserveRaised(PartitionId indexed from, uint256 amount, uint256 reserve);
    /// @notice Realised profit became credits.
    event Harvested(uint256 profit, uint256 toCredits, uint256 highWater, Split split);

    /// @notice A top-up or sync below the minimum of 1 USDC.
    error BelowMinimum(uint256 amount, uint256 minimum);
    /// @notice The key's wallet would hold more than its float.
    error FloatCapExceeded(uint256 balanceAfter, uint256 cap);
    /// @notice More than half of the donor.
    error RebalanceTooLarge(uint256 amount, uint256 max);
    /// @notice Too soon after the last rebalance.
    error RebalanceTooSoon(uint256 time, uint256 allowedAt);
    /// @notice A partition cannot be its own donor.
    error SamePartition(PartitionId partition);
    /// @notice The reported phase, or the present split, does not allow this split to this caller.
    error ResplitRefused(Split current, Split wanted, Phase phase);
    /// @notice The key locks no more for the death than the law asks for; the owner may.
    error ReserveBeyondDue(uint256 reserveAfter, uint256 due);
    /// @notice No USDC capital above the high-water mark.
    error NoProfit(uint256 capital, uint256 highWater);
    /// @notice Only WETH may send native coin here.
    error NativeRefused(address from);

    /// @notice Adds `amount` of the caller's USDC to the credits, by the current split. Anyone, only while Alive.
    function topUp(uint256 amount) external;
    /// @notice The same with an EIP-2612 permit, tried first; the allowance decides.
    function topUpWithPermit(uint256 amount, uint256 deadline, bytes calldata signature) external;
    /// @notice The same with an EIP-3009 authorisation to this vault, whoever brings it.
    function topUpWithAuthorisation(Authorisation calldata authorisation) external;
    /// @notice Allocates what was sent here directly, as a top-up. Anyone.
    function sync() external returns (uint256 amount);

    /// @notice Pays `amount` from `partition` to a payee listed for it, or to the key's own wallet as float.
    /// @dev V-006. Warning: reverts when USDC blocks `payee`; nothing is debited then.
    /// @return left What the partition may still pay today.
    function spend(PartitionId partition, address payee, uint256 amount) external returns (uint256 left);
    /// @notice Moves credits among llm, gas and data: at most half of the donor, once per cooldown. By the key.
    function rebalance(PartitionId from, PartitionId to, uint256 amount) external;
    /// @notice Cuts the partitions anew (V-009). The key: to Declining or Terminal shares when it reports that phase.
    /// The owner: back to birth shares when the phase has risen above Declining.
    function resplit(Split wanted) external;
    /// @notice Locks more for the death. By the owner, or by the key up to what the law asks for: max(0.30, 2 % of the credits,
    /// 0.22 + 0.02 for each holding and position). Nothing lowers it while Alive (V-007).
    function raiseReserve(PartitionId from, uint256 amount) external;

    /// @notice Moves the owner's share of realised profit to the credits. By the key or the owner.
    /// @dev V-014. Realised means in USDC: profit is USDC capital above the high-water mark, and what is held in
    /// tokens counts nothing until sold.
    function harvest() external returns (uint256 toCredits);

    /// @notice The agent id of this vault.
    function agentId() external view returns (uint256);
    /// @notice The owner of the identity token now; reverts when the registry does not answer.
    function owner() external view returns (address);
    /// @notice The Golem's key, zero when it has none.
    function key() external view returns (address);
    /// @notice "alive", "dying" or "dead".
    function life() external view returns (string memory);
    /// @notice The phase last reported, by name.
    function phase() external view returns (string memory);
    /// @notice The cause of death by name, "none" while there is none.
    function cause() external view returns (string memory);
    /// @notice When the grace of Dying ends or ended and anyone may `finalise`; 0 while Alive.
    function deadline() external view returns (uint256);
    /// @notice Until when no owner takes anything out and policy and lists stand; a time in the past when nothing is locked.
    function lockedUntil() external view returns (uint256);
    /// @notice To whom key, guardian, lists and policy are bound; zero until an owner has spoken for this vault.
    function boundOwner() external view returns (address);
    /// @notice Who may trip the kill switch, zero for nobody.
    function guardian() external view returns (address);
    /// @notice Until when the Golem sleeps, or slept last.
    function hibernatedUntil() external view returns (uint256);
    /// @notice The policy in force.
    function policy() external view returns (Policy memory);
    /// @notice The name of that policy, for `accept`: its keccak256, or that of "bardo.policy.1" for the template.
    function policyHash() external view returns (bytes32);
    /// @notice The four partitions.
    function credits() external view returns (Ledger memory);
    /// @notice Reserve, USDC capital, high-water mark and cost of what is deployed.
    function books() external view returns (Books memory);
    /// @notice The shares top-ups follow: "birth" 60/25/15/0, "declining" 30/15/5/50 or "terminal" 0/0/0/100.
    function split() external view returns (string memory);
    /// @notice Partitions + reserve + USDC capital: what the vault accounts for (V-003).
    function accounted() external view returns (uint256);
    /// @notice USDC here beyond what is accounted for.
    function unallocated() external view returns (uint256);
    /// @notice What each partition has spent today, may spend today, and may still spend today.
    function today() external view returns (Ledger memory spent, Ledger memory cap, Ledger memory left);
    /// @notice What the day has traded and lost so far, with the capital it is measured by.
    function tradedToday() external view returns (DayTraded memory);
    /// @notice What the owner listed a subject for, 0 when not (or no longer).
    function listingOf(address subject) external view returns (uint8 uses, address pricedBy);
    /// @notice The current list epoch.
    function epoch() external view returns (uint256);
    /// @notice The tokens the capital holds.
    function holdings() external view returns (Holding[] memory);
    /// @notice The liquidity positions the capital holds.
    function positions() external view returns (Position[] memory);
    /// @notice What a leaked key can cost from now, in USDC.
    function worstLoss() external view returns (WorstLoss memory);
}
