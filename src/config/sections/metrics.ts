/** [metrics]: the page of metrics for Prometheus. */
import { Type } from '@sinclair/typebox'
import { isListenHost } from '../address.ts'
import { describeFlag, describeTable, describeText, describeWhole } from '../setting.ts'

export const metrics = describeTable({
  enabled: describeFlag({
    description: 'Whether /metrics is served for Prometheus, on a port of its own.',
    consequence: 'Costs 0.1 microseconds a request. Without it nothing is counted by route.',
    default: false,
    example: true,
  }),
  host: describeText({
    description: 'Address to listen on for /metrics.',
    consequence: 'Anything but 127.0.0.1 shows the load of this server to others: set metrics.token, or a firewall.',
    default: '127.0.0.1',
    example: '10.0.0.5',
    expected: 'an IP address or host name, without http:// and without a port',
    accepts: isListenHost,
  }),
  port: describeWhole({
    description: 'TCP port of /metrics. 0 takes any free one.',
    consequence: 'Prometheus must be told the same.',
    default: 8788,
    example: 8788,
    minimum: 0,
    maximum: 65_535,
  }),
  token: Type.Optional(
    describeText({
      description: 'What Prometheus must send as Authorization: Bearer (its setting authorization.credentials).',
      consequence: 'Requests without it get 401.',
      whenEmpty: 'everybody who reaches the port may read the page',
      secret: true,
      example: '<a long random text>',
      expected: '16 to 200 visible ASCII characters without spaces',
      pattern: '^[\\x21-\\x7e]{16,200}$',
    }),
  ),
})
