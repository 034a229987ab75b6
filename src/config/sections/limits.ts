/** [limits]: How much one caller may ask. */
import { Type } from '@sinclair/typebox'
import { isAddressRange } from '../address.ts'
import { describeByteRate, rate } from '../rate.ts'
import { describeChoice, describeFlag, describeTable, describeWhole, list } from '../setting.ts'

const rates = describeTable({
  api: rate({
    description: 'All requests of one client address.',
    consequence: 'Above it a client gets RATE_LIMIT_EXCEEDED with Retry-After; so it is for every rate.',
    default: '1200/1m',
    example: '1200/1m',
  }),
  preflight: rate({
    description: 'OPTIONS requests of one client address, by which browsers ask before a call of another origin.',
    consequence: 'Lower than limits.rates.api refuses calls of pages that the api rate would allow.',
    default: '1200/1m',
    example: '1200/1m',
  }),
  foreign: rate({
    description: 'Requests of one client address that are refused for their Host or Origin header.',
    consequence: 'Above it they get 429 in place of 403. They never count against limits.rates.api.',
    default: '600/1m',
    example: '600/1m',
  }),
  create: rate({
    description: 'Proofs created by one signer.',
    consequence: 'Higher lets one wallet fill the disk faster.',
    default: '50/15m',
    example: '50/15m',
  }),
  reads: rate({
    description: 'Reads (status, lists, gate checks) of one client address.',
    consequence: 'A server that asks for many users from one address needs more.',
    default: '600/1m',
    example: '600/1m',
  }),
  prepare: rate({
    description: 'Standardize and diagnose calls, sponsor grants, previews and trials of gates, of one client address.',
    consequence: 'Each costs some work and stores nothing.',
    default: '300/1m',
    example: '300/1m',
  }),
  owner: rate({
    description: 'Owner-signed actions (revoking, changing) of one client address.',
    consequence: 'Each costs a signature check.',
    default: '120/1m',
    example: '120/1m',
  }),
  sessions: rate({
    description: 'Steps of signing in, and changes to keys and sessions, of one client address.',
    consequence: 'Each costs a signature check.',
    default: '60/1m',
    example: '60/1m',
  }),
  pairing: rate({
    description: 'Questions of one page while a phone is connected to a computer.',
    consequence: 'A page asks every two seconds. Lower makes the two screens follow each other late.',
    default: '60/1m',
    example: '60/1m',
  }),
  pictures: rate({
    description:
      'Preview pictures of proofs that are drawn for one client address. Pictures that are kept count as reads.',
    consequence: 'Each takes up to 0.1 s of a second processor core. Higher lets one client keep others waiting.',
    default: '60/1m',
    example: '60/1m',
  }),
  token: rate({
    description: 'Token and revocation requests of one client address.',
    consequence: 'Higher lets guesses at codes and tokens come faster.',
    default: '300/1m',
    example: '300/1m',
  }),
  register: rate({
    description: 'OAuth client registrations of one client address.',
    consequence: 'Higher lets one address fill the table of clients faster.',
    default: '20/1m',
    example: '20/1m',
  }),
  mcp: rate({
    description: 'Requests to the MCP endpoint of one person.',
    consequence: 'An assistant that asks more often is told to wait.',
    default: '600/1m',
    example: '600/1m',
  }),
  health: rate({
    description: 'Health requests of one client address.',
    consequence: 'A monitor that asks more often looks like an outage.',
    default: '300/1m',
    example: '300/1m',
  }),
})

const bytes = describeTable({
  network: describeByteRate({
    description: 'Bytes that requests of one network may store: a /24 of IPv4, a /64 of IPv6.',
    consequence:
      'Above it a write gets RATE_LIMIT_EXCEEDED; reading, revoking and erasing go on. A server that stores for many users from one address needs more.',
    default: '512MiB/24h',
    example: '512MiB/24h',
  }),
  owner: describeByteRate({
    description: 'Bytes that one wallet may store, from wherever it comes.',
    consequence: 'Higher lets one wallet fill the disk faster.',
    default: '128MiB/24h',
    example: '128MiB/24h',
  }),
})

export const limits = describeTable({
  enabled: describeFlag({
    description: 'Whether the rates and allowances below are enforced.',
    consequence: 'false is for benchmarks and tests: anybody may then keep the server busy.',
    default: true,
    example: true,
  }),
  several: describeChoice(['divide', 'each'], {
    description:
      'Where several servers share a database (database.url): each allows its part of a rate (divide), or the whole of it (each).',
    consequence:
      'divide needs a load balancer that spreads evenly: a client that always comes to one server gets that part only. With each, a client that reaches all of them gets as many times the rate.',
    default: 'divide',
    example: 'divide',
  }),
  monitors: list(Type.String({ expected: 'an address or CIDR range', accepts: isAddressRange }), {
    description:
      'Addresses that watch this server: their health requests are never refused for their number. This machine needs no entry.',
    consequence: 'Whoever comes from there may ask for the health as often as they like.',
    expected: 'IPv4 or IPv6 addresses or CIDR ranges',
    default: [],
    example: ['192.0.2.7', '10.20.0.0/16'],
    maxItems: 100,
  }),
  body_bytes: describeWhole({
    description: 'Largest request body.',
    consequence: 'A larger body is refused with 413. Memory use grows with it.',
    unit: 'bytes',
    default: 524_288,
    example: 524_288,
    minimum: 1024,
    maximum: 16_777_216,
  }),
  json_depth: describeWhole({
    description: 'Deepest nesting of JSON in a request.',
    consequence: 'Deeper JSON is refused with 400.',
    unit: 'levels',
    default: 32,
    example: 32,
    minimum: 4,
    maximum: 128,
  }),
  rates,
  bytes,
})
