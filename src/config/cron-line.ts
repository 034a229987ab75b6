/** The times at which something is done again: a cron line in UTC. */
import { validate } from 'node-cron'
import { type About, describeText } from './setting.ts'

/** Five fields, and no number that node-cron would count up to: `1-9999999999` keeps it busy for minutes. */
const isCronLine = (line: string): boolean => line.split(/ +/).length === 5 && !/\d{3}/.test(line) && validate(line)

export const describeSchedule = (about: Pick<About<string>, 'description' | 'consequence' | 'default'>) =>
  describeText({
    ...about,
    unit: 'cron, UTC',
    example: about.default ?? '*/5 * * * *',
    expected: 'a cron line of five fields',
    accepts: isCronLine,
  })
