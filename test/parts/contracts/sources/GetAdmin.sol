// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// getAdmin(), the other spelling.
contract GetAdmin {
    address public getAdmin;

    constructor(address admin_) {
        getAdmin = admin_;
    }
}
