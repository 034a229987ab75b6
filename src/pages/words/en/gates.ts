/** The words of the dashboard's gates. */

export const gates = {
  archive: {
    do: 'Archive',
    undo: 'Unarchive',
    tag: 'Archived',
    title: 'Archive this gate?',
    yes: 'Archive the gate',
    effect: <T>(gate: T) => [gate, ' leaves your list. Choose “Archived” as the status to find it again.'],
    staysActive: 'The gate stays active and goes on letting people in. Pause it to close it.',
    staysClosed: 'Nothing else changes. The gate stays closed.',
    done: 'The gate is archived.',
    undone: 'The gate is in your list again.',
    allArchived: 'All your gates are archived. Choose “Archived” to see them.',
  },
}
