/** The first cells of the generated tables, repeated here: the guides must show each of them. */
import { isTable, listSettings, readEntrySchema } from '../../src/config/outline.ts'
import { writeTomlPath, writeTomlText } from '../../src/config/toml-text.ts'
import { errorKinds } from '../../src/errors.ts'
import { settings } from '../../src/settings.ts'

/** With the settings of the tables that the operator names: `chains.<name>.rpc`. */
const listEverySetting = () =>
  listSettings(settings).flatMap(({ path, schema }) => {
    const entry = readEntrySchema(schema)
    if (!entry || !isTable(entry)) return [{ path: writeTomlPath(path), schema }]
    return listSettings(entry).map((inner) => ({
      path: `${writeTomlPath(path)}.<name>.${writeTomlPath(inner.path)}`,
      schema: inner.schema,
    }))
  })

/** The row of a setting with a default begins so: `| \`port\` | \`8787\` |`. */
export const listSettingRows = (): string[] =>
  listEverySetting().map(({ path, schema }) =>
    schema.default === undefined ? `| \`${path}\` | ` : `| \`${path}\` | \`${writeTomlText(schema.default)}\` | `,
  )

export const listErrorRows = (): string[] =>
  Object.entries(errorKinds).map(([code, { status }]) => `| \`${code}\` | ${status} | `)
