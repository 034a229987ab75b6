/** [log]: the content and format of the log. */
import { describeChoice, describeTable } from '../setting.ts'

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
})
