// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";

/// Whoever is to be the next owner is not the owner before saying yes.
contract OwnedTwoStep is Ownable2Step {
    constructor(address owner_) Ownable(owner_) {}
}
