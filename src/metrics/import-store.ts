/** Makes daily numbers from the lines of an export: SQL and nothing else. */
import type { Importer } from '../db/importing.ts'

export const numberImporter: Importer = {
  name: 'daily-numbers',
  insert: [
    `INSERT INTO daily_numbers (kind, day, subject, count) VALUES ($kind, $day, $subject, $count)
     ON CONFLICT (kind, day, subject) DO NOTHING`,
  ],
  isOfServer: true,
}
