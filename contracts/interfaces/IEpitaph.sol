// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

/// @title What a registration file says of the dead (L-014)
interface IEpitaph {
    /// @notice The file is not a `data:` file that says it is active: it is somewhere else, or says the truth already.
    error NothingToWrite(uint256 agentId);
    /// @notice The owner has not let this contract write: `approve(epitaph, agentId)` on the identity registry, once.
    error NotLet(uint256 agentId);

    /// @notice Says `"active":false` in the registration file of a dead Golem and leaves every other word as it is. Anyone,
    /// typically whoever settled or finalised; needs the owner's approval of this contract for the token, which can be
    /// used for nothing else.
    function write(uint256 agentId) external;
    /// @notice Whether `write` would do something now.
    function canWrite(uint256 agentId) external view returns (bool can);
}
