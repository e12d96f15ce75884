// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IPositionAdapter} from "contracts/interfaces/IAdapters.sol";

import {ERC20} from "solady/tokens/ERC20.sol";

/// @title A token that an owner listed in good faith and that, while a position adapter pays with it, opens one of its
/// own
/// @dev It asks nobody for an allowance and makes itself whatever it lacks, so that the call it interrupted goes on.
contract ReEnteringToken is ERC20 {
    address public immutable ADAPTER;
    bytes private _call;
    bool private _inside;
    /// @notice Whether a call back got through.
    bool public landed;

    constructor(address adapter) {
        ADAPTER = adapter;
    }

    function name() public pure override returns (string memory) {
        return "ReEntering";
    }

    function symbol() public pure override returns (string memory) {
        return "REENTER";
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    /// @notice From now on every payment out of the adapter opens a position by `deposit` in between.
    function arm(IPositionAdapter.Deposit calldata deposit, uint24 fee, int24 lower, int24 upper) external {
        _call = abi.encodeCall(IPositionAdapter.mint, (deposit, fee, lower, upper));
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        if (from == ADAPTER && _call.length != 0 && !_inside) {
            _inside = true;
            (landed,) = ADAPTER.call(_call);
            _inside = false;
        }
        if (balanceOf(from) < amount) _mint(from, amount - balanceOf(from));
        _transfer(from, to, amount);
        return true;
    }
}
