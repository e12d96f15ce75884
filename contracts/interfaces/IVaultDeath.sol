// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";

/// @title The vault: death (T-001..T-007)
interface IVaultDeath is IVaultRules {
    /// @notice Death has begun: the cause in words, who declared it, and until when only settlement moves pass.
    event DeathBegan(string cause, address indexed by, uint256 deadline, string reason);
    /// @notice The Golem is dead. `owner` is zero when the identity registry could not be read.
    event DeathEnded(string cause, address indexed owner, bytes32 testamentHash);
    /// @notice A stochastic death, for anyone to recompute. `verified` is false when the chain no longer knew the block's
    /// hash, or when no earlier beat had announced this block for this tick.
    event RollRecorded(uint256 tick, uint256 hazard, uint256 roll, uint256 blockNumber, bool verified);
    /// @notice A payment out of reserve and legacy, in Dying.
    event SpentDying(address indexed payee, uint256 fromLegacy, uint256 fromReserve, uint256 spentInDying);
    /// @notice The books were closed at these figures; what the vault holds is the owner's.
    event BooksClosed(uint256 credits, uint256 reserve, uint256 capital);
    /// @notice An asset reached the owner. `id` is the NFT's id, 0 for coins; asset zero is the native coin.
    event Swept(address indexed asset, address indexed owner, uint256 id, uint256 amount);
    /// @notice An asset could not be pushed and waits for the owner's `claim`. Amount 0: a listed token of which nothing was
    /// found, or whose balance could not be read.
    event Stranded(address indexed asset, address indexed owner, uint256 id, uint256 amount);
    /// @notice The sweep was limited before the lists were empty, or nothing may be pushed now: the owner cannot be read, has
    /// not spoken to this vault, or locked it. `finalise` goes on; called by the owner it reaches him.
    event SweepPaused(uint256 holdingsLeft, uint256 positionsLeft);
    /// @notice The owner took an asset himself.
    event Claimed(address indexed asset, address indexed owner, uint256 id, uint256 amount);

    /// @notice Only the guardian trips the kill switch.
    error NotGuardian(address caller, address guardian);
    /// @notice A reason or trigger above 256 bytes.
    error ReasonTooLong(uint256 length, uint256 max);
    /// @notice An economic death needs llm + gas + data at or below the floor (T-002).
    error NotStarved(uint256 spendable, uint256 floor);
    /// @notice The claimed hazard exceeds the policy's.
    error HazardTooHigh(uint256 hazard, uint256 max);
    /// @notice A roll at or above the hazard is survival.
    error RollSurvived(uint256 roll, uint256 hazard);
    /// @notice The block's hash gives another roll.
    error RollMismatch(uint256 roll, uint256 recomputed);
    /// @notice A roll cannot use a block that is not past.
    error BlockNotPast(uint256 blockNumber, uint256 current);
    /// @notice The Golem has not been silent for long enough.
    error NotSilent(uint256 time, uint256 silentAt);
    /// @notice A notice of this silence stands already.
    error NoticeStands(uint256 noticeAt);
    /// @notice No notice of this silence stands.
    error NoNotice();
    /// @notice Not before then.
    error TooEarly(uint256 time, uint256 allowedAt);
    /// @notice In Dying nothing goes to the key's own wallet.
    error NoFloatInDying();
    /// @notice More than Dying may spend.
    error DeathBudgetExceeded(uint256 spentAfter, uint256 budget);
    /// @notice With less gas a read or a push could fail for want of it.
    error TooLittleGas(uint256 gasLeft, uint256 needed);

    /// @notice Ends the life. By the owner, at any time while Alive: `cast send <vault> "kill(string)" "<reason>"`.
    function kill(string calldata reason) external;
    /// @notice The same, and the key is powerless from this block on.
    function killAndRevoke(string calldata reason) external;
    /// @notice Declares that llm, gas and data are used up. By the bound key.
    function dieEconomic() external;
    /// @notice Declares that the Golem no longer understands its world. By the bound key.
    /// @param evidence Short pointer to the evidence, at most 256 bytes.
    function dieSenescent(string calldata evidence) external;
    /// @notice Declares a lost death roll. By the bound key.
    /// @param hazard In units of 2^-64, at most the policy's maximum.
    /// @param roll First 8 bytes of keccak256(lowercase 0x-hex vault address, tick u64, block hash); below `hazard`.
    /// @param blockNumber The block whose hash fed the roll.
    function dieStochastic(uint64 tick, uint64 hazard, uint64 roll, uint256 blockNumber) external;
    /// @notice Trips the kill switch. By the guardian.
    function trip(string calldata trigger) external;
    /// @notice Posts notice of a silence longer than the policy's limit. Anyone.
    function notice() external;
    /// @notice Kills after 24 hours of notice without a beat. Anyone.
    function killSilent() external;

    /// @notice Pays a listed payee while Dying: legacy first, then reserve; the reserve alone after a kill. By the
    /// bound key, no more than the death budget in all.
    function spendDying(address payee, uint256 amount) external;
    /// @notice The last act of the agent: records the testament and ends in Dead. By the key, also after the deadline.
    function settle(ILineageRegistry.Testament calldata testament, ILineageRegistry.Stain calldata stain) external;
    /// @notice After the deadline anyone ends what the agent did not: nothing is swapped, everything goes to the owner
    /// in kind if he is the bound one or calls himself; else it waits for him. Once Dead, goes on with a sweep that stopped.
    function finalise() external;
    /// @notice The same in parts: USDC, and at most `items` tokens and positions. Anyone, as often as it takes.
    function finalisePart(uint256 items) external;
    /// @notice Pays the owner all of `asset` here (zero: the native coin). By the owner, for ever after Dead.
    function claim(address asset) external returns (uint256 amount);
    /// @notice Sends the owner an NFT that is here. By the owner, for ever after Dead; the Golem's own token at any time.
    function claimNft(address collection, uint256 id) external;
    /// @notice Gives a testament to one that was finalised without. By the owner or the bound key, once.
    function attachTestament(ILineageRegistry.Testament calldata testament) external;
    /// @notice What Dying has spent so far.
    function spentDying() external view returns (uint256);
}
