/**
 * Every setting of Proofgate but those of plug-ins: the top level here, each [table] in sections/. Names are as in
 * proofgate.toml (snake_case); `Config` has the same names in camelCase. To add a setting, add it here or there:
 * environment name, check, messages and config.example.toml follow from it. Then run
 * `bun src/config/example.ts > config.example.toml`. Plug-ins describe their own settings (src/settings.ts).
 */
import { Type } from '@sinclair/typebox'
import { isListenHost, isWebAddress } from './address.ts'
import { apps } from './sections/apps.ts'
import { auth } from './sections/auth.ts'
import { backup } from './sections/backup.ts'
import { chains } from './sections/chains.ts'
import { cors } from './sections/cors.ts'
import { database } from './sections/database.ts'
import { docs } from './sections/docs.ts'
import { gates } from './sections/gates.ts'
import { ipfs } from './sections/ipfs.ts'
import { limits } from './sections/limits.ts'
import { log } from './sections/log.ts'
import { mcp } from './sections/mcp.ts'
import { metrics } from './sections/metrics.ts'
import { oauth } from './sections/oauth.ts'
import { operator } from './sections/operator.ts'
import { outside } from './sections/outside.ts'
import { pages } from './sections/pages.ts'
import { payments } from './sections/payments.ts'
import { proxy } from './sections/proxy.ts'
import { publishing } from './sections/publishing.ts'
import { server } from './sections/server.ts'
import { signing } from './sections/signing.ts'
import { storage } from './sections/storage.ts'
import { sweep } from './sections/sweep.ts'
import { updates } from './sections/updates.ts'
import { verifiers } from './sections/verifiers.ts'
import { type Checked, describeTable, describeText, describeWhole } from './setting.ts'

const webAddress = {
  expected: 'an http(s) address in lower case, without a default port, trailing slash, query or user name',
  accepts: isWebAddress,
}

export const ownSettings = describeTable({
  host: describeText({
    description: 'Address to listen on. 127.0.0.1 is this machine only, 0.0.0.0 every IPv4 address, :: every address.',
    consequence: 'Anything but 127.0.0.1 lets others in: put a proxy with TLS before it.',
    default: '127.0.0.1',
    example: '0.0.0.0',
    expected: 'an IP address or host name, without http:// and without a port',
    accepts: isListenHost,
  }),
  port: describeWhole({
    description: 'TCP port to listen on. 0 takes any free one.',
    consequence: 'Below 1024 needs the right to open it.',
    default: 8787,
    example: 8787,
    minimum: 0,
    maximum: 65_535,
  }),
  data: describeText({
    description: 'Folder of the database and the master key. Relative to the working directory.',
    consequence: 'Another folder is another, empty, server. Back it up.',
    default: './data',
    example: '/var/lib/proofgate/data',
    expected: 'the name of a folder',
    names: 'folder',
    pattern: '^[^\\x00]+$',
  }),
  base_url: Type.Optional(
    describeText({
      description: 'Public address of the API, as callers see it.',
      consequence: 'Links, metadata and tokens carry it. Clients fail where it is wrong.',
      whenEmpty: 'http://<host>:<port>',
      example: 'https://proofs.example.com',
      ...webAddress,
    }),
  ),
  auth_url: Type.Optional(
    describeText({
      description: 'Public address of sign-in and OAuth.',
      consequence: 'It is the issuer of all tokens: a change signs everybody out.',
      whenEmpty: 'the same as base_url',
      example: 'https://auth.example.com',
      ...webAddress,
    }),
  ),
  mcp_url: Type.Optional(
    describeText({
      description: 'Public address of the MCP endpoint, without /mcp.',
      consequence: 'Assistants must be connected anew after a change.',
      whenEmpty: 'the same as base_url',
      example: 'https://mcp.example.com',
      ...webAddress,
    }),
  ),
  brand: describeText({
    description: 'Prefix of scopes, tool names, header names and the DNS label.',
    consequence: 'Clients written for one prefix work only with that prefix.',
    default: 'svc',
    example: 'svc',
    expected: '2 to 16 of a-z 0-9, beginning with a letter',
    pattern: '^[a-z][a-z0-9]{1,15}$',
  }),
  master_key: Type.Optional(
    describeText({
      description: 'Key that seals secrets in the database: 64 hexadecimal digits, as of `openssl rand -hex 32`.',
      consequence: 'With another key the sealed values are lost. Better in a file: PROOFGATE_MASTER_KEY_FILE.',
      whenEmpty: 'made on the first start and kept in the data folder',
      secret: true,
      example: '<64 hexadecimal digits>',
      expected: '64 hexadecimal digits',
      pattern: '^[0-9a-fA-F]{64}$',
    }),
  ),
  database,
  signing,
  verifiers,
  chains,
  ipfs,
  publishing,
  gates,
  payments,
  auth,
  operator,
  apps,
  oauth,
  mcp,
  outside,
  limits,
  proxy,
  cors,
  sweep,
  server,
  log,
  metrics,
  storage,
  updates,
  backup,
  docs,
  pages,
})

export type Config = Checked<typeof ownSettings>
