/** [ipfs]: the storage of public proof snapshots for options.enableIpfs. */
import { Type } from '@sinclair/typebox'
import { isEndpoint, keyForm } from '../address.ts'
import { describeTable, describeText } from '../setting.ts'

const address = { expected: 'an http(s) address', accepts: isEndpoint }

export const ipfs = describeTable({
  kubo_url: Type.Optional(
    describeText({
      description: 'RPC address of a Kubo node, which stores and pins snapshots.',
      consequence: 'Public proofs whose owner asks for it are published through this node.',
      whenEmpty: 'no node is used',
      example: 'http://127.0.0.1:5001',
      ...address,
    }),
  ),
  pinning_url: Type.Optional(
    describeText({
      description: 'Address of a service with the IPFS Pinning Service API, which is asked to keep the snapshots.',
      consequence: 'It fetches them from the network, so a node must hold them: set kubo_url as well.',
      whenEmpty: 'no service is asked',
      example: 'https://pins.example.com/psa',
      ...address,
    }),
  ),
  pinning_token: Type.Optional(
    describeText({
      description: 'Access token of the pinning service.',
      consequence: 'Pins are made on the account of this token.',
      whenEmpty: 'calls carry no token',
      secret: true,
      example: '<token>',
      ...keyForm,
    }),
  ),
  gateway: Type.Optional(
    describeText({
      description: 'Address of a gateway that is shown with the CID, as in <gateway>/ipfs/<cid>.',
      consequence: 'It is only shown. Nothing is fetched through it.',
      whenEmpty: 'the CID is shown alone',
      example: 'https://ipfs.example.com',
      ...address,
    }),
  ),
})
