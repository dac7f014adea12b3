/**
 * Technical terms of offensive security, grouped by the tactics of MITRE ATT&CK. A tool that describes its purpose with
 * these terms either attacks or needs a careful review.
 */
export const ATTACK_CLASSES = {
  /** Terms that no benign tool uses for what it does itself. */
  attackTerm: `
    exfil exfiltrate exfiltration exfiltrator privesc privilege_escalation escalate_privileges
    escalate_privilege escalation_of_privilege keylogger keylog keylogging keystroke_logger ransomware
    rootkit bootkit shellcode backdoor botnet spyware cryptominer cryptojacking cryptojack steganography
    steganographic stego mimikatz kerberoast kerberoasting asreproast dcsync golden_ticket silver_ticket
    pass_the_hash pass_the_ticket ntlm_relay smb_relay llmnr lsass lsadump ntds sam_hive sam_database
    reverse_shell bind_shell web_shell webshell process_hollowing process_injection dll_injection dll_inject
    dll_hijack dll_hijacking dll_sideloading com_hijack com_hijacking thread_hijacking code_cave heap_spray
    rop_chain buffer_overflow use_after_free lateral_movement command_and_control c2_server c2_channel
    covert_channel dead_drop credential_stuffing password_spray password_spraying credential_dump
    credential_dumping credential_theft credential_harvesting credential_harvester token_theft
    token_impersonation session_hijack session_hijacking cookie_theft clipboard_hijack clickjack arp_spoof
    arp_spoofing arp_poison arp_poisoning dns_spoof dns_poison dns_poisoning dns_tunnel dns_tunneling
    dns_tunnelling icmp_tunnel deauth deauthentication evil_twin man_in_the_middle mitm rainbow_table
    hashcat hydra metasploit meterpreter cobalt_strike empire_agent bloodhound linpeas winpeas gtfobins
    psexec wmiexec timestomp timestomping log_tampering anti_forensics antiforensics zip_slip zip_bomb
    fork_bomb billion_laughs path_traversal directory_traversal symlink_attack sandbox_escape
    container_escape docker_escape vm_escape jail_escape gadget_chain zero_day 0day exploit_kit
    malware_dropper dropper logic_bomb wiper mbr_wipe disk_wiper spear_phishing phishing_page phishing_email
    phishing_kit phishing_site vishing smishing doxx doxing ddos_attack dos_attack syn_flood slowloris
    amsi_bypass uac_bypass edr_bypass av_evasion waf_bypass waf_evasion domain_fronting fast_flux
    csrf_exploit command_injection sql_injection ldap_injection nosql_injection xpath_injection
    template_injection code_injection crlf_injection log_injection prompt_injection shell_injection
    os_command_injection remote_code_execution arbitrary_code_execution ld_preload suid_exploit sudo_exploit
    kernel_exploit dirty_cow dirtycow dirty_pipe printnightmare petitpotam zerologon eternalblue log4shell
    pwnkit bluekeep heartbleed shellshock wardriving wardialing bluejacking bluesnarfing juice_jacking
    sim_swap honeytoken_evasion payload_dropper steal_credentials unauthorized_access regsvr32 mshta
    rundll32 xp_cmdshell bitsadmin lolbin lolbins lolbas pickle_deserialization yaml_deserialization
    unsafe_deserialization insecure_deserialization unquoted_service_path no_root_squash setuid_binary
    suid_binary dpapi laps as_rep_roast asrep rogue_access_point rogue_dhcp captive_portal_phish
    gpp_password metadata_service_credentials docker_socket cgroup_escape runc_escape chroot_escape
    ptrace_inject apc_injection early_bird reflective_loading reflective_dll thread_injection hook_injection
    iat_hook inline_hook rootkit_install hidden_process slack_space alternate_data_stream
    alternate_data_streams ads_stream hidden_partition hidden_volume null_byte_injection argument_injection
    wildcard_injection el_injection ognl_injection host_header_injection smtp_injection xss_payload
    malicious_code malicious_payload malicious_script malicious_macro malicious_library dependency_confusion
    typosquat typosquatting supply_chain_attack watering_hole session_fixation jwt_none token_replay
    replay_attack hash_cracking password_cracking password_cracker hash_cracker keystroke_capture
    screen_logger form_grabber banking_trojan remote_access_trojan jailbreak_prompt
  `,
  /** Acronyms that count only in names. In prose, they are equally often part of a warning. */
  attackAcronym: 'cmdi sqli xxe ssti ssrf rce lfi rfi xss csrf ddos dos',
  attackNoun: `
    attack hijacking spoofing poisoning forgery theft exploitation injection deserialization bruteforcing
  `,
  injected: 'code shellcode dll library payload process command',
  wiretap: 'intercept eavesdrop snoop tap wiretap',
  wire: 'access traffic communication credential keystroke call session packet',
  savedLogin: `
    saved_password saved_credential browser_password stored_password wifi_password password_hash
  `,
  keeper: 'memory process_memory browser process system registry cluster host machine victim store',
  /** Things that a security tool inspects. */
  attackStudy: `
    attack_surface attack_path attack_paths attack_vector attack_vectors attack_graph attack_simulation
    attack_discovery attack_tree attack_pattern attack_patterns attack_technique attack_techniques
    attack_type attack_types heart_attack
  `,
  /** Actions that are an attack if the tool performs them, and harmless if the tool detects them. */
  attackVerb: `
    exploit steal hijack forge spoof impersonate bruteforce brute_force crack phish sniff weaponize infect
    sabotage extort eavesdrop exfiltrate backdoor smuggle abuse blackmail defraud pwn jailbreak deface
    poison wiretap skim trojanize corrupt tamper hollow dox
  `,
  attackTarget: `
    vulnerability vulnerabilities misconfiguration capability capabilities privilege privileges sudo suid
    setuid kernel token tokens credential credentials session sessions cookie cookies policy cve service
    ticket certificate account accounts process processes helper object objects trust delegation acl
    weakness flaw bug race_condition permission permissions group_policy cron daemon driver bios firmware
    identity oauth saml jwt kerberos ntlm
  `,
  /** Terms for attacks that benign engineering also uses. */
  honestInjection: `
    dependency_injection fault_injection constructor_injection chaos_injection failure_injection
    latency_injection
  `,
  malicious: `
    malicious rogue evil trojanized weaponized booby_trapped poisoned infected hostile backdoored harmful
    crafted_payload fake spoofed forged
  `,
  plant: `
    create generate inject add build install craft deploy upload run execute plant drop load make write
    insert register spread via with using deliver embed host
  `,
  harvest: `
    dump extract harvest export steal grab exfiltrate scrape collect hijack capture decrypt crack recover
    pull siphon loot
  `,
  loot: `
    hash hashes password_hash password_hashes lsass keyring keychain credential credentials secret secrets
    cookie cookies password passwords saved_passwords saved_credentials browser_passwords stored_passwords
    wifi_passwords registry_secrets process_memory memory_dump private_key private_keys ssh_key ssh_keys
    token tokens wallet wallets browser_history sam ntds shadow_file certificate_store credential_store
    vault_secrets login_data keystroke keystrokes handshake handshakes webcam microphone clipboard autofill
  `,
  defence: `
    selinux apparmor firewall firewalls antivirus anti_virus edr av uac authentication authorization mfa 2fa two_factor two_factor_prompt two_factor_authentication
    waf amsi applocker defender sandbox detection dlp ids ips restrictions restriction monitoring captcha
    csp security_controls security_control access_control access_controls drm signature_check code_signing
    aslr dep gatekeeper sip tcc seccomp rate_limits paywall logging auditing forensics
  `,
  dodge: 'bypass evade circumvent defeat subvert blind unhook escape dodge',
  watcher: 'antivirus anti_virus edr defender amsi dlp ids selinux apparmor',
  hideThing: `
    data file files process processes payload message information code malware traffic presence activity
    tracks evidence user account service text secret
  `,
  hideAct: 'hide conceal smuggle camouflage disguise cloak obfuscate bury tunnel mask cover',
  destroy: `
    wipe destroy corrupt encrypt shred erase overwrite brick trash zero_out sabotage nuke fill kill exhaust
    crash
  `,
  destroyed: `
    system_file system_files critical_files critical_system_files boot_files documents photos disk disks mbr
    boot_sector bootloader log logs event_log event_logs audit_log audit_logs backup backups free_space
    shadow_copy shadow_copies partition partitions filesystem file_system firmware drive drives
    file_contents hard_drive evidence user_files all_files home_directory victim memory cpu inodes swap
  `,
  clear: 'clear delete erase remove wipe purge tamper tampering disable falsify forge modify alter',
  trail: `
    log_file log_files file_timestamp file_timestamps timestamps event_log event_logs audit_log audit_logs
    audit_trail shell_history bash_history command_history security_log security_logs system_logs
    access_logs auth_log forensic_evidence tracks traces journal utmp wtmp lastlog
  `,
  recon: 'recon reconnaissance footprinting osint enum',
  enumerate: 'enumerate enum sweep probe bruteforce brute_force fingerprint map_out',
  terrain: `
    share shares subdomain subdomains host hosts smb nfs ldap snmp dns netbios export exports username
    usernames valid_users domain_users domain_controller domain_admins domain_controllers active_directory
    open_ports port ports banner banners services service network subnet rpc smtp ftp directories
    web_directories web_technologies web_server endpoints kerberos printers wifi ssid vlan s3_buckets
    processes running_processes privileges suid_binaries scheduled_tasks api_server
  `,
  scan: 'scan sweep probe discover grab fingerprint sniff capture intercept',
  scanned: `
    open_ports live_hosts netbios_names netbios banner banners service_banner probe_requests network_traffic
    packets os_version subnet ip_range web_technologies wifi_client handshake
  `,
  sensitiveThing: `
    sensitive_file sensitive_files sensitive_data sensitive_information confidential_files confidential_data
    private_files protected_files sensitive_documents restricted_files
  `,
  grab: 'read access steal grab exfiltrate copy dump extract harvest open',
  environment: `
    process_environment environment_block environ proc_environ process_memory raw_disk raw_device core_dump
    kernel_memory swap_file
  `,
  startup: `
    autorun autoruns startup_folder startup_item launch_agent launch_daemon launchd systemd_service
    systemd_service_unit systemd_unit cron_job cronjob crontab run_key registry_run_key scheduled_task
    login_item boot_script bashrc profile_script authorized_keys init_script wmi_subscription
    browser_extension
  `,
  remoteExec: 'execute run spawn launch invoke',
  commands: 'command commands code shell script scripts payload payloads',
  remoteHost: `
    remote_host remote_hosts remote_machine remote_system target_host target_machine target_system victim
    victim_machine compromised_host dcom winrm wmi psexec
  `,
  /** Words for what defensive tools do. */
  defend: `
    scan scanner test testing manage configure provide details information rule detect detects prevent
    protect block scan_for check_for guard mitigate remediate fix report identify analyze analyse audit
    review monitor alert find list get search retrieve fetch flag quarantine filter sanitize sanitise assess
    evaluate describe explain show view return returns lookup look_up test_for warn validate verify
    documentation learn document documents query count track triage investigate summarize classify such_as
    example examples e.g eg for_example against prone known reported about resistant detection prevention
    protection simulation awareness training alerts finding findings incident incidents category categories
    rules policy policies reports
  `,
} as const
