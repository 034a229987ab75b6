// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// ownerOf reverts for an id that nobody has, as ERC-721 asks.
contract Erc721 is ERC721("Test Art", "ART") {
    function mint(address to, uint256 id) external {
        _mint(to, id);
    }

    function burn(uint256 id) external {
        _burn(id);
    }
}
