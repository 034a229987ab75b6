// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

contract Owned is Ownable {
    constructor(address owner_) Ownable(owner_) {}
}
