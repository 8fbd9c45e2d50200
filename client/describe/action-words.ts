/** What each command that changes a run does, in the words of its help. The page asks in the same ones. */
export const ACTIONS = {
  pause: 'pause a run after its current round, until it is resumed',
  'pause --now': 'end the current round at once and keep its work; it is attempted again after the resume',
  stop: 'end a run after its current round',
  retry: 'end the current wait of a run, and try again now',
  resume: 'resume a paused run, or start a follow-up of an ended run',
  cancel: 'end a run now; return when its processes are gone, and print the proof',
  budget: 'show how much of its budgets a run has used, or raise them while it is live',
} as const;
