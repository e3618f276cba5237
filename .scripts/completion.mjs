/* npx perennial completion <shell>: what the shell offers after `perennial`. Put it where the shell looks, or `eval` it. */
import { COMMANDS } from './commands.mjs';

export const SHELLS = ['bash', 'zsh', 'fish'];

/** @param {'bash' | 'zsh' | 'fish'} shell */
export function completionFor(shell) {
  if (shell === 'bash') return bash();
  return shell === 'zsh' ? `#compdef perennial\nautoload -U +X bashcompinit && bashcompinit\n${bash()}` : fish();
}

/** The names of a command's options. */
function optionsOf({ options = [] }) {
  return [...options.map(([option]) => option.split(/[ =]/)[0]), '--help'];
}

function bash() {
  const cases = COMMANDS.map((each) => `    ${each.name}) words="${optionsOf(each).join(' ')}" ;;`);
  // A colon ends a word in bash; without it audit:verify would be three.
  return `_perennial() {
  COMP_WORDBREAKS=\${COMP_WORDBREAKS//:}
  local word=\${COMP_WORDS[COMP_CWORD]} words
  case \${COMP_CWORD}:\${COMP_WORDS[1]} in
    1:*) words="${[...COMMANDS.map(({ name }) => name), 'completion'].join(' ')} --config --help" ;;
    *) case \${COMP_WORDS[1]} in
${cases.join('\n')}
    completion) words="${SHELLS.join(' ')}" ;;
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  [[ \${#COMPREPLY[@]} -eq 0 ]] && COMPREPLY=($(compgen -f -- "$word"))
}
complete -F _perennial perennial
`;
}

function fish() {
  const quoted = (text) => `'${text.replaceAll("'", "\\'")}'`;
  const names = COMMANDS.map(
    ({ name, summary }) => `complete -c perennial -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
  );
  const options = COMMANDS.flatMap(({ name, options: own = [] }) =>
    own.map(
      ([option, meaning]) =>
        `complete -c perennial -n '__fish_seen_subcommand_from ${name}' -l ${option.split(/[ =]/)[0].replace(/^-+/, '')} -d ${quoted(meaning)}`,
    ),
  );
  return `${[...names, ...options].join('\n')}\n`;
}
