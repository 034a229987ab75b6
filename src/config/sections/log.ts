/** [log]: the content and format of the log. */
import { Type } from '@sinclair/typebox'
import { describeChoice, describeFlag, describeTable, describeText } from '../setting.ts'

export const log = describeTable({
  level: describeChoice(['error', 'warn', 'info', 'debug'], {
    description: 'The least serious lines that are written: error, warn, info or debug.',
    consequence: 'debug writes several lines for each request.',
    default: 'info',
    example: 'debug',
  }),
  format: describeChoice(['text', 'json'], {
    description: 'text for people, json for log collectors.',
    consequence: 'Collectors that parse lines need json.',
    default: 'text',
    example: 'json',
  }),
  file: Type.Optional(
    describeText({
      description: 'File that the log is written to. Relative to the working directory.',
      consequence:
        'The log then grows until a program such as logrotate renames the file, which the server notices within a second. SIGUSR1 opens the file anew at once.',
      whenEmpty: 'standard error, which journald and containers keep',
      example: '/var/log/proofgate/proofgate.log',
      expected: 'the path of a file, which may not be there yet',
      pattern: '^[^\\x00]+$',
    }),
  ),
  access: describeFlag({
    description: 'Whether each answer gets a line: method, pattern of the route, status, time and kind of caller.',
    consequence: 'A line costs about 10 microseconds, and a busy server writes many. It names no person.',
    default: false,
    example: true,
  }),
  refusals: describeFlag({
    description: 'Whether each refused credential and each rate limit gets a line with the address of the client.',
    consequence: 'For programs such as fail2ban. Addresses are personal data: keep the log no longer than you need it.',
    default: false,
    example: true,
  }),
})
