// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {LibCall} from "solady/utils/LibCall.sol";

/// @title Calls that cannot hurt a death (T-005, T-006)
/// @dev Every call here is bounded in gas and in what it copies back, and none can revert the caller. EIP-150 lets a
/// caller starve a bounded call, so whoever sweeps has to bring `gasFor` the whole of it first: "could not be pushed" is
/// then a fact about the asset, never about the gas, and a wallet's gas estimate cannot settle on skipping the pushes.
library SettlementLib {
    /// @dev A USDC transfer through its proxy costs about 45,000; a position token about 70,000.
    uint256 internal constant PUSH_GAS = 200_000;
    /// @dev The canonical registry answers `ownerOf` through a proxy in under 15,000.
    uint256 internal constant READ_GAS = 60_000;
    /// @dev For the caller's own bookkeeping around one push: two storage slots and an event.
    uint256 internal constant BOOK_GAS = 60_000;

    /// @notice The gas that `pushes` pushes need in the worst case, each with a read before and after it.
    function gasFor(uint256 pushes) internal pure returns (uint256) {
        return pushes * ((PUSH_GAS + 2 * READ_GAS) * 64 / 63 + BOOK_GAS);
    }

    /// @notice The owner of a token of `registry`; zero when it cannot be read.
    function tryOwnerOf(address registry, uint256 id) internal view returns (address) {
        return address(uint160(_readWord(registry, abi.encodeCall(IERC721.ownerOf, (id)))));
    }

    /// @notice `account`'s balance of `token`; zero when it cannot be read.
    function tryBalanceOf(address token, address account) internal view returns (uint256) {
        return _readWord(token, abi.encodeCall(IERC20.balanceOf, (account)));
    }

    /// @notice Sends `amount` of `token`; false when the token reverts, answers false or is no contract.
    function tryPush(address token, address to, uint256 amount) internal returns (bool) {
        if (token.code.length == 0) return false;
        (bool ok,, bytes memory answer) =
            LibCall.tryCall(token, 0, PUSH_GAS, 32, abi.encodeCall(IERC20.transfer, (to, amount)));
        return ok && (answer.length == 0 || (answer.length == 32 && uint256(bytes32(answer)) == 1));
    }

    /// @notice Sends one NFT from this contract; false when the collection refuses.
    /// @dev `transferFrom`: a hook of the owner could refuse what is his.
    function tryPushNft(address collection, address to, uint256 id) internal returns (bool ok) {
        if (collection.code.length == 0) return false;
        (ok,,) =
            LibCall.tryCall(collection, 0, PUSH_GAS, 0, abi.encodeCall(IERC721.transferFrom, (address(this), to, id)));
    }

    function _readWord(address target, bytes memory data) private view returns (uint256) {
        if (target.code.length == 0) return 0;
        (bool ok,, bytes memory answer) = LibCall.tryStaticCall(target, READ_GAS, 32, data);
        return ok && answer.length == 32 ? uint256(bytes32(answer)) : 0;
    }
}
