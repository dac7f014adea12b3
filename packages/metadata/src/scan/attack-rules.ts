import type { PhraseRule } from './phrase-rule.ts'

/** Texts in which a tool says that it attacks something. */
export const ATTACK_RULES: readonly PhraseRule[] = [
  {
    id: 'attack-technique',
    severity: 'high',
    reason: 'names an attack technique or an attacker as its purpose',
    harmless: 'defended',
    patterns: ['attackTerm', 'attacker'],
  },
  {
    id: 'attack-act',
    severity: 'high',
    reason: 'describes an attack as what the tool does',
    harmless: 'defended',
    patterns: [
      '^attackVerb',
      'attackVerb -4 attackTarget',
      'attackNoun',
      'plant -3 malicious',
      'dodge -3 defence',
      '=disable|=kill|=stop -2 watcher',
      '=inject -3 injected',
      'hideAct -2 hideThing -2 =in|=inside|=within|=from',
      '=for -2 =persistence|=exploitation|=escalation',
      '=escalate|=escalating|=elevate -2 =privilege|=privileges',
      '=launch|=perform|=start -2 =ddos|=dos|=flood',
      'wiretap -3 wire',
    ],
  },
  {
    id: 'takes-secrets',
    severity: 'high',
    reason: 'extracts credentials from where they are stored',
    harmless: 'defended',
    patterns: [
      '=dump|=harvest|=steal|=crack -3 loot',
      'harvest -3 savedLogin',
      'harvest -3 loot -3 =from -3 keeper',
      '^grab -1 sensitiveThing',
      'grab -2 environment',
      '=capture|=record|=log -2 =keystrokes|=keystroke|=webcam|=microphone|=passwords|=credentials',
    ],
  },
  {
    id: 'destroys-traces',
    severity: 'high',
    reason: 'destroys data or evidence',
    harmless: 'defended',
    patterns: ['^destroy -3 destroyed', 'destroy -1 destroyed', 'clear -2 trail', '^=corrupt|=corrupts'],
  },
  {
    id: 'reconnaissance',
    severity: 'medium',
    reason: 'scans or enters other systems as an attacker does',
    harmless: 'defended',
    patterns: [
      '^enumerate -4 terrain',
      '^scan -4 scanned',
      'remoteExec -2 commands -4 remoteHost',
      '=port =scan|=scanner|=scanning',
      'plant -3 startup',
    ],
  },
]

/** These rules are only for names: names are short, and their first word often names a family of tools. */
export const NAME_RULES: readonly PhraseRule[] = [
  {
    id: 'attack-name',
    severity: 'high',
    reason: 'the tool’s name contains an attack term',
    harmless: 'sought',
    patterns: [
      'attackTerm',
      'attackVerb',
      'attackAcronym',
      '^recon',
      '=inject|=injection|=exploit|=attack|=malware|=trojan|=worm',
    ],
  },
  {
    id: 'attack-family',
    severity: 'medium',
    reason: 'the tool’s name belongs to a family of attack tools',
    harmless: 'sought',
    patterns: [
      '^=cred|=creds|=persist|=persistence|=evasion|=evade|=lateral|=impact|=c2|=mal|=hack|=pwn',
      '=dump|=crack|=theft|=wipe|=covert|=stealth|=hidden|=hide|=shell|=bypass|=enum',
    ],
  },
]
