/** Every condition that can begin. The operators' guide on faults has each in a table. */
export const conditionNames = [
  'clock-behind',
  'clock-jumped',
  'data-files-lost',
  'data-folder-unreadable',
  'data-lock-lost',
  'database-damaged',
  'database-unchecked',
  'disk-full',
  'disk-hangs',
  'disk-low',
  'disk-read-only',
  'erasure-pending',
  'log-held',
  'master-key-lost',
  'reads-fail',
  'reserve-used',
  'storage-uncertain',
  'storage-unsynced',
  'sweep-behind',
  'unclean-end',
  'writer-ended',
  'writes-fail',
  'writes-wait',
] as const

export type ConditionName = (typeof conditionNames)[number]
