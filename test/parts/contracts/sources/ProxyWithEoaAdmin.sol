// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {ERC1967Utils} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Utils.sol";

/// EIP-1967: the admin slot holds a wallet.
contract ProxyWithEoaAdmin is ERC1967Proxy {
    constructor(address implementation, address admin, bytes memory data) ERC1967Proxy(implementation, data) {
        ERC1967Utils.changeAdmin(admin);
    }
}
