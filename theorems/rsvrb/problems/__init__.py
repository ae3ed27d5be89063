"""Problems with one and with many lower levels, with closed-form constants, for SVRB, RSVRB and RE-RSVRB."""
