// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// admin(), as many older contracts have it.
contract Admin {
    address public admin;

    constructor(address admin_) {
        admin = admin_;
    }
}
