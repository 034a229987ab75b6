/** What a move tells of each table. */
export interface MovedTable {
  readonly table: string
  readonly rows: number
  readonly seconds: number
  /** An earlier run of this move has copied it. */
  readonly wasThere: boolean
}
