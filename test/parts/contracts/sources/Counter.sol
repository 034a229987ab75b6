// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// What stands behind the proxies. `count` takes a call of its own to set, because proxies want initial data.
contract Counter {
    uint256 public count;

    function set(uint256 count_) external {
        count = count_;
    }
}
