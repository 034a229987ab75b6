// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

contract SanctionsOracle {
    mapping(address => bool) public isSanctioned;

    function set(address wallet, bool sanctioned) external {
        isSanctioned[wallet] = sanctioned;
    }
}
