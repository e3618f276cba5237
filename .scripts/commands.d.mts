export interface Command {
  readonly name: string;
  readonly entry: string;
  readonly fixed?: readonly string[];
  readonly summary: string;
  readonly explainsItself?: true;
}
export const COMMANDS: readonly Command[];
export function commandOf(entry: string, args: readonly string[]): Command | undefined;
export function asksForHelp(args: readonly string[]): boolean;
export function helpOf(command: Command): string;
