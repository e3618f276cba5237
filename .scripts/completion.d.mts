export const SHELLS: readonly ['bash', 'zsh', 'fish'];
export function completionFor(shell: 'bash' | 'zsh' | 'fish'): string;
