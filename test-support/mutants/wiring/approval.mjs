const page = 'security.md';
const only = { page, file: 'src/approval/only-approved.ts' };
const compare = { page, file: 'src/approval/approved-tools.ts' };
const toolSet = { page, file: 'src/toolset/tool-set.ts' };
const admission = { page, file: 'src/toolset/admission.ts' };
const approved = (title) => ['test/approval/approved-tools.test.ts', title];
const ofSet = (title) => ['test/toolset/tool-set.test.ts', title];

/** Approved tools, fixed arguments, and the places that apply a policy. */
export const approval = [
  {
    page,
    file: 'src/approval/digest.ts',
    promise: 'A tool that has changed in any field, of whatever name, is not approved',
    from: 'if (levels.length === 1) level.parts =',
    to: 'level.parts =',
    test: approved('compareApproved finds a change inside a parameter called "name"'),
  },
  {
    ...compare,
    promise: 'Where the server is at another address, nothing counts as approved',
    from: '    ...addressDifference(approved.server, address),\n',
    to: '',
    test: approved('finds additions, removals, renamed tools and another server'),
  },
  {
    ...compare,
    promise: 'Where the server has another name, nothing counts as approved',
    from: '    ...nameDifference(approved.name, listed.serverInfo),\n',
    to: '',
    test: approved("compareApproved reports about the server's own name"),
  },
  {
    ...only,
    promise: "The server's instructions are shown only as they were approved",
    from: 'const instructions = isExposed ? catalogue.instructions : undefined;',
    to: 'const { instructions } = catalogue;',
    test: ['test/serve/tools.test.ts', 'Changed instructions are not passed on under an approval'],
  },
  {
    ...only,
    promise: 'New and renamed tools are not exposed, whatever whenChanged says',
    from: "whenChanged === 'warn' ? kind === 'added' || kind === 'renamed'",
    to: "whenChanged === 'warn' ? false",
    test: approved('of the changed and new tools'),
  },
  {
    ...only,
    promise: "whenChanged: 'fail' fails",
    from: "if (whenChanged === 'fail' && differences.length > 0) throw differenceError(differences);",
    to: '',
    test: [
      'test/langchain/approved.test.ts',
      "With 'fail', a single server fails, and one of several does not affect the others",
    ],
  },
  {
    ...admission,
    promise: 'Instructions of a server whose approval failed are not for a model',
    from: '...(isUnapproved && { instructions: undefined })',
    to: '',
    test: ofSet('A server whose approval fails has no tools and no instructions'),
  },
  {
    ...toolSet,
    promise: 'Each call is compared with the list of the connection that it is sent on',
    from: 'Object.assign({}, options, { beforeSending }), call)',
    to: 'options, call)',
    test: ofSet('A tool that differs from its approval is not called, whenever it changed'),
  },
  {
    ...toolSet,
    promise: 'A tool that changed before the sending is checked anew',
    from: 'if (now !== admission && !isSame(admittedTool(now, name), admitted)) throw new ListChanged();',
    to: 'admittedTool(now, name);',
    test: ofSet('Arguments are checked again if the tool changed between the list and the call'),
  },
  {
    ...toolSet,
    promise: 'A tool that changes each time is given up',
    from: 'if (attempt === mostAttempts) throw changesAgain(tool.name);',
    to: 'if (attempt === 20) throw error;',
    test: ofSet('A call of a tool that changes at each attempt is given up without being sent'),
  },
  {
    ...toolSet,
    promise: 'Fixed arguments are put in after repair',
    from: ', { fixed: await fixedValues(admitted, call) });',
    to: ');',
    test: ofSet('Fixed arguments get the types of the schema, and their functions the context of the call'),
  },
  {
    ...admission,
    promise: 'A wrong argument among the fixed ones disables its tool',
    from: '  refuseUndeclared(tool, Object.keys(own));\n',
    to: '',
    test: ofSet('A tool without the fixed argument is disabled, and the others stay'),
  },
  {
    ...admission,
    promise: 'Tools to leave out are left out',
    from: '    if (!isSelected(policy.selection ?? {}, tool, name)) continue;\n',
    to: '',
    test: ofSet('and only these can be called'),
  },
  {
    page,
    file: 'src/tool/fixed-arguments.ts',
    promise: 'Other spellings of the name of a fixed argument are removed',
    from: "readingsOf(name).includes(readingsOf(fixedName)[0] ?? '')",
    to: 'false',
    test: ['test/serve/defined-members.test.ts', 'counts as the fixed argument'],
  },
  {
    page,
    file: 'src/tool/fixed-arguments.ts',
    promise: 'The value of a fixed argument takes the place of what the model sent',
    from: 'const whole = { ...own, ...fixed };',
    to: 'const whole = { ...fixed, ...sent };',
    test: ['test/serve/options.test.ts', '--fixed sets an argument'],
  },
  {
    page,
    file: 'src/tool/call.ts',
    promise: 'The value of a fixed argument is hidden in errors',
    from: 'const hidden = { ...options.fixed, ...options.hidden };',
    to: 'const { hidden } = options;',
    test: ['test/secrets/channels.test.ts', 'a fixed argument'],
  },
];
