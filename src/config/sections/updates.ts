/** [updates]: where `proofgate version --check` and `proofgate self-update` look for newer versions. */
import { Type } from '@sinclair/typebox'
import { isEndpoint } from '../address.ts'
import { describeTable, describeText } from '../setting.ts'

export const updates = describeTable({
  url: Type.Optional(
    describeText({
      description:
        'Address of the signed list of releases. Its signature has the same address with .minisig at the end.',
      consequence: 'It is called by these two commands alone, never by the server.',
      whenEmpty: 'nothing is called, and the commands say that it is missing',
      example: 'https://downloads.example.com/proofgate/releases.json',
      expected: 'an http(s) address',
      accepts: isEndpoint,
    }),
  ),
  public_key: Type.Optional(
    describeText({
      description: 'The minisign public key that signs the list and the files, for those who build their own.',
      consequence: 'Only releases of this key are accepted.',
      whenEmpty: 'the key in the executable, if it was built with one',
      example: 'RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3',
      expected: 'the line of a minisign public key: 56 characters that begin with RW',
      pattern: '^RW[A-Za-z0-9+/]{54}$',
    }),
  ),
})
