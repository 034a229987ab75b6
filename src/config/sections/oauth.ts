/** [oauth]: The authorization server for MCP clients. */
import { Type } from '@sinclair/typebox'
import { describeChoice, describeFlag, describeTable, describeWhole, list } from '../setting.ts'

export const oauth = describeTable({
  refresh_grace_seconds: describeWhole({
    description: 'How long the refresh token before the current one still gives the same new one.',
    consequence:
      '0 signs a client out when it refreshes from two processes at once. More lets a stolen token be used for so long.',
    unit: 'seconds',
    default: 0,
    example: 30,
    minimum: 0,
    maximum: 60,
  }),
  refresh_idle_days: describeWhole({
    description: 'How long a refresh token may lie unused.',
    consequence: 'Shorter makes people who come seldom sign in again.',
    unit: 'days',
    default: 30,
    example: 30,
    minimum: 1,
    maximum: 365,
  }),
  grant_days: describeWhole({
    description: 'How long a client stays signed in at most, however often it refreshes.',
    consequence: 'Shorter makes everybody sign in again more often.',
    unit: 'days',
    default: 365,
    example: 90,
    minimum: 1,
    maximum: 3650,
  }),
  signing_alg: describeChoice(['ES256', 'RS256'], {
    description: 'Algorithm of the keys that sign access tokens.',
    consequence: 'A change makes a new key; tokens of the old one stay valid until they expire.',
    default: 'ES256',
    example: 'RS256',
  }),
  registration: describeFlag({
    description: 'Whether clients may register themselves (RFC 7591), which most MCP hosts need.',
    consequence: 'false leaves the command-line client, and client_metadata_documents when that is on.',
    default: true,
    example: true,
  }),
  redirect_schemes: list(
    Type.String({ pattern: '^[a-z][a-z0-9+.-]{1,63}$', expected: 'a URI scheme in lower case, without a colon' }),
    {
      description: 'Private URI schemes that clients may be sent back to, besides https and http on loopback.',
      consequence: 'A registration whose addresses all have other schemes is refused.',
      default: ['cursor', 'vscode', 'vscode-insiders', 'windsurf', 'claude', 'zed'],
      example: ['cursor', 'com.example.app'],
      maxItems: 100,
    },
  ),
  client_metadata_documents: describeFlag({
    description: 'Whether a client_id may be an https address of a document about the client, which is then fetched.',
    consequence: 'true lets everybody make this server fetch public https addresses.',
    default: false,
    example: false,
  }),
})
