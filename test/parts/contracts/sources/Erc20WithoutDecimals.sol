// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// decimals() is optional in ERC-20. This token does without: the call reverts.
contract Erc20WithoutDecimals {
    mapping(address => uint256) public balanceOf;
    uint256 public totalSupply;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
        totalSupply += amount;
    }
}
