/** The words of buttons that copy. */

export const copying = {
  copy: 'Copy',
  copied: 'Copied',
  selected: 'Selected',
  selectedHelp: 'This browser could not copy. The text is selected, so copy it with the keyboard.',
  copyValue: (name: string) => `Copy: ${name}`,
  shownWhole: 'This browser could not copy. The whole value is shown now.',
}
