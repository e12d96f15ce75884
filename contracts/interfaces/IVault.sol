// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IVaultDeath} from "contracts/interfaces/IVaultDeath.sol";
import {IVaultLiquidity} from "contracts/interfaces/IVaultLiquidity.sol";
import {IVaultMoney} from "contracts/interfaces/IVaultMoney.sol";
import {IVaultOwner} from "contracts/interfaces/IVaultOwner.sol";
import {IVaultTrading} from "contracts/interfaces/IVaultTrading.sol";

/// @title A Golem's vault, whole: what stands at the vault's address
interface IVault is IVaultMoney, IVaultOwner, IVaultTrading, IVaultLiquidity, IVaultDeath {}
