// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {Wallet1271} from "./Wallet1271.sol";

/// Makes wallets at addresses that are known before (CREATE2), for signatures by ERC-6492.
contract Wallet1271Factory {
    function create(address signer, bytes32 salt) external returns (address) {
        return address(new Wallet1271{salt: salt}(signer));
    }

    function addressOf(address signer, bytes32 salt) external view returns (address) {
        bytes32 codeHash = keccak256(abi.encodePacked(type(Wallet1271).creationCode, abi.encode(signer)));
        return address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, codeHash)))));
    }
}
