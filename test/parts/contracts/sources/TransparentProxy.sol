// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {TransparentUpgradeableProxy} from "@openzeppelin/contracts/proxy/transparent/TransparentUpgradeableProxy.sol";
import {ProxyAdmin} from "@openzeppelin/contracts/proxy/transparent/ProxyAdmin.sol";

/// EIP-1967: the admin slot holds a ProxyAdmin, which the constructor makes, and which `owner_` owns.
contract TransparentProxy is TransparentUpgradeableProxy {
    constructor(address implementation, address owner_, bytes memory data)
        TransparentUpgradeableProxy(implementation, owner_, data)
    {}
}
