/** [sweep]: The clearing away of what has expired. */
import { validate as isCron } from 'node-cron'
import { describeTable, describeText, describeWhole } from '../setting.ts'

/** Five fields, and no number that node-cron would count up to: `1-9999999999` keeps it busy for minutes. */
const isSchedule = (line: string) => line.split(/ +/).length === 5 && !/\d{3}/.test(line) && isCron(line)

export const sweep = describeTable({
  schedule: describeText({
    description: 'When expired things are cleared away, as a cron line in UTC: minute hour day month weekday.',
    consequence: 'Expiry holds without it. Seldom means that the database grows in between.',
    unit: 'cron, UTC',
    default: '*/5 * * * *',
    example: '*/5 * * * *',
    expected: 'a cron line of five fields',
    accepts: isSchedule,
  }),
  batch: describeWhole({
    description:
      'How many rows of each kind one write of the sweep deletes at most. A sweep makes as many as it needs.',
    consequence: 'More at once makes writers wait longer. Fewer make a sweep take longer.',
    unit: 'rows',
    default: 1000,
    example: 1000,
    minimum: 1,
    maximum: 100_000,
  }),
})
